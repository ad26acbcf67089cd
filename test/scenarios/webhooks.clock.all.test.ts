/** Webhook deliveries over time: workers that die, a failure of KMS, changed endpoints, and mail about an outage. */
import { afterEach, describe, expect, it } from 'vitest';
import { now } from '../../lib/adapters/clock.ts';
import { addMember } from '../../lib/services/workspaces/workspaces.ts';
import { inject } from '../faults/kit.ts';
import { cloud } from '../support/cloud.ts';
import { endpointWithEvent, status } from '../support/endpoint-with-event.ts';

const minute = 60;
const hour = 60 * minute;

afterEach(() => cloud().control('DELETE', '/faults'));

describe('an endpoint that nothing gets through to', () => {
  interface Sent {
    readonly recipients: readonly string[];
    readonly from: string;
  }
  const mailsTo = async (name: string): Promise<Sent[]> => {
    const { data } = await cloud().control<{ data: Sent[] }>('GET', '/sent');
    return data.filter(({ recipients }) => recipients.some((to) => to.startsWith(`${name}@`)));
  };

  it('is reported to owners and admins once in an outage, and again in the next one', async () => {
    let code = 500;
    const { ours, client, delivery } = await endpointWithEvent(() => ({ status: code }));
    const members = [
      ['owner', 'owner', true],
      ['admin', 'admin', true],
      ['quiet', 'admin', false],
      ['member', 'member', true],
    ] as const;
    const addressOf = (name: string) => `${name}-${ours.slug}@people.example.test`;
    for (const [name, role, outageMail] of members) {
      await addMember(ours.id, { email: addressOf(name), role, outageMail });
    }
    const send = () =>
      client.post('/emails', {
        from: `desk@${ours.providedDomain}`,
        to: 'success@simulator.amazonses.com',
        subject: 'Hello',
        text: 'Hello there',
      });
    const counts = async () =>
      await Promise.all(members.map(async ([name]) => (await mailsTo(`${name}-${ours.slug}`)).length));
    await cloud().advance(20 * hour);
    expect(await counts()).toEqual([0, 0, 0, 0]);
    await cloud().advance(5 * hour);
    expect((await delivery()).state).toBe('failed');
    expect(await counts()).toEqual([1, 1, 0, 0]);
    await send();
    await cloud().advance(25 * hour);
    expect(await counts()).toEqual([1, 1, 0, 0]);

    code = 200;
    await send();
    await cloud().waitForQuiescence();
    code = 500;
    await send();
    await cloud().advance(25 * hour);
    expect(await counts()).toEqual([2, 2, 0, 0]);
  });
});

describe('a killed worker', () => {
  // The worker puts the delivery with its first attempt.
  const record = { worker: 'deliver-webhook', service: 'dynamodb', action: 'PutItem' } as const;

  it('repeats the attempt when it dies between the response and its record', async () => {
    await inject({ ...record, kind: 'kill-before' });
    const { hook, client, path, delivery } = await endpointWithEvent(status(200));
    expect(hook.requests).toHaveLength(1);
    expect((await client.get(`${path}/deliveries`)).body.data).toEqual([]);
    await cloud().advance(10 * minute);
    expect(hook.requests).toHaveLength(2);
    expect(await delivery()).toMatchObject({ state: 'delivered', attempts: [{ status_code: 200 }] });
  });

  it('changes nothing when it dies after the record', async () => {
    await inject({ ...record, kind: 'kill-after' });
    const { hook, delivery } = await endpointWithEvent(status(200));
    await cloud().advance(25 * hour);
    expect(hook.requests).toHaveLength(1);
    expect(await delivery()).toMatchObject({ state: 'delivered', attempts: [{ status_code: 200 }] });
  });

  it.each([
    // The copies of the message: two that are processed at the same moment both post (docs/decisions/0066-webhooks-on-fair-queues.md).
    ['stored the event', 'PutItem', '#EVENTS', 1],
    ['handed its delivery over', 'SendMessage', 'deliver-webhook', 2],
  ])('creates each delivery once when it dies after it has %s', async (_, action, match, copies) => {
    await inject({ worker: 'relay', action, match, kind: 'kill-after' });
    const { hook, delivery } = await endpointWithEvent(status(200));
    await cloud().advance(hour);
    expect(new Set(hook.requests.map(({ body }) => body)).size).toBe(1);
    expect(hook.requests.length).toBeLessThanOrEqual(copies);
    expect(await delivery()).toMatchObject({ state: 'delivered', attempts: [{ status_code: 200 }] });
  });
});

describe('a failure of KMS', () => {
  it('delays the delivery without using an attempt', async () => {
    await cloud().control('POST', '/faults', {
      service: 'kms',
      action: 'Decrypt',
      kind: 'error',
      code: 'KMSInternalException',
      status: 500,
      times: 6,
    });
    const before = now();
    const { hook, delivery } = await endpointWithEvent(status(200));
    await cloud().advance(20 * minute);
    expect(hook.requests).toHaveLength(1);
    const done = await delivery();
    expect(done).toMatchObject({ state: 'delivered', attempts: [{ status_code: 200 }] });
    expect(Date.parse(done.created_at)).toBeGreaterThanOrEqual(before);
  });
});

describe('a pending delivery', () => {
  it('is failed at its deadline when its endpoint stays disabled', async () => {
    const { client, hook, path, delivery } = await endpointWithEvent(status(500));
    await client.patch(path, { enabled: false });
    await cloud().advance(25 * hour);
    expect(hook.requests).toHaveLength(1);
    expect(await delivery()).toMatchObject({ state: 'failed', attempts: [{ status_code: 500 }] });
  });

  it('is delivered when max_concurrency changes its concurrency slot', async () => {
    const { client, hook, path, delivery } = await endpointWithEvent(
      (_, index) => ({ status: index === 0 ? 500 : 200 }),
      {
        max_concurrency: 128,
      },
    );
    await client.patch(path, { max_concurrency: 1 });
    await cloud().advance(2 * minute);
    expect(await delivery()).toMatchObject({ state: 'delivered', attempts: [{}, { status_code: 200 }] });
    expect(hook.requests).toHaveLength(2);
  });
});
