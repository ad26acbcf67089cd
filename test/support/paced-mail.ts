/** Sends emails that pacing rules hold, and reads what is held. */
import { expect } from 'vitest';
import { type Api, api } from './api.ts';
import { cloud } from './cloud.ts';
import { workspace } from './workspace.ts';

export interface Sent {
  readonly id: string;
  readonly status: string;
  readonly pacing: {
    readonly held_by: { readonly kind: string; readonly rule_id: string | null };
    readonly estimated_send_at: string;
  } | null;
}

export interface Queue {
  readonly data: readonly {
    readonly email_id: string;
    readonly held_by: { readonly kind: string; readonly rule_id: string | null };
    readonly estimated_send_at: string;
  }[];
  readonly total: number;
  readonly sampled: number;
  readonly rules: readonly { readonly rule_id: string; readonly matched: number; readonly held: number }[];
}

let serial = 0;

export async function newSender() {
  const own = await workspace();
  const client = api(own);
  const from = `desk@${own.providedDomain}`;
  const send = async (to: string | string[], more: object = {}, headers = {}): Promise<Sent> => {
    const body = { from, to, subject: 'Paced', text: 'T', ...more };
    const response = await client.post<Sent>('/emails', body, headers);
    expect([200, 201], JSON.stringify(response.body)).toContain(response.status);
    return response.body;
  };
  return { own, client, from, send };
}

export const person = (host = 'example.test'): string =>
  `p${++serial}-${crypto.randomUUID().slice(0, 8)}@${host}`;

export async function limitRule(client: Api, limit: object, more: object = {}): Promise<string> {
  const body = { name: 'Limit', match: [], kind: 'limit', limit, ...more };
  const response = await client.post('/pacing-rules', body);
  expect(response.status, JSON.stringify(response.body)).toBe(201);
  return response.body.id;
}

export const queueOf = async (client: Api, query = ''): Promise<Queue> =>
  (await client.get<Queue>(`/pacing-queue${query}`)).body;

export async function statusOf(client: Api, id: string): Promise<unknown> {
  return (await client.get(`/emails/${id}`)).body.status;
}

/** When each of the emails left, from the hand-over to the outbound pipeline on; null: it is held. */
export async function sentCount(to: readonly string[]): Promise<number> {
  const mails = await Promise.all(to.map((address) => cloud().sentTo(address)));
  return mails.filter((list) => list.length > 0).length;
}

/** Lets what has begun end, then moves the clock: a delay that is computed before the move would count from after it. */
export async function settle(seconds = 0): Promise<void> {
  await cloud().waitForQuiescence();
  if (seconds === 0) return;
  await cloud().advance(seconds);
  await cloud().waitForQuiescence();
}
