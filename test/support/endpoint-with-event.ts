/** A webhook endpoint that got one event, and its delivery. */
import { expect } from 'vitest';
import { type Api, api } from './api.ts';
import { cloud } from './cloud.ts';
import { type Behaviour, receiver } from './receiver.ts';
import { workspace } from './workspace.ts';

interface Attempt {
  readonly attempted_at: string;
  readonly status_code: number | null;
}

export interface Delivery {
  readonly state: string;
  readonly next_attempt_at: string | null;
  readonly created_at: string;
  readonly body: unknown;
  readonly attempts: readonly Attempt[];
}

/** An endpoint that got one event and answered by `behaviour`. */
export async function endpointWithEvent(behaviour: Behaviour, settings: object = {}) {
  const ours = await workspace();
  const client = api(ours);
  const hook = await receiver(behaviour);
  const created = await client.post('/webhook-endpoints', {
    url: hook.url,
    subscriptions: ['email.sent'],
    ...settings,
  });
  expect(created.status).toBe(201);
  const path = `/webhook-endpoints/${created.body.id}`;
  await client.post('/emails', {
    from: `desk@${ours.providedDomain}`,
    to: 'success@simulator.amazonses.com',
    subject: 'Hello',
    text: 'Hello there',
  });
  await cloud().waitForQuiescence();
  return { ours, client, hook, path, delivery: () => onlyDelivery(client, path) };
}

async function onlyDelivery(client: Api, path: string): Promise<Delivery> {
  const { body } = await client.get<{ data: Delivery[] }>(`${path}/deliveries`);
  const [delivery, ...more] = body.data;
  expect(more).toEqual([]);
  if (!delivery) throw new Error('no delivery');
  return delivery;
}

/** Answers each request by `code`. */
export const status = (code: number, headers: Record<string, string> = {}): Behaviour => {
  return () => ({ status: code, headers });
};
