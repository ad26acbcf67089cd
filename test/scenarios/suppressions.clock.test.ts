/** Suppressions that are created between a request and its scheduled time. */
import { describe, expect, it } from 'vitest';
import { now, timestamp } from '../../lib/adapters/clock.ts';
import { api } from '../support/api.ts';
import { cloud } from '../support/cloud.ts';
import { receiver } from '../support/receiver.ts';
import { workspace } from '../support/workspace.ts';

describe('a scheduled email', () => {
  it('skips recipients who are suppressed before its time, fails when none is left, and replays after its time', async () => {
    const ours = await workspace();
    const client = api(ours);
    const hook = await receiver();
    await client.post('/webhook-endpoints', { url: hook.url, subscriptions: ['email.failed'] });
    const scheduledAt = timestamp(now() + 3_600_000);
    const schedule = (to: string[], headers = {}) =>
      client.post(
        '/emails',
        {
          from: `desk@${ours.providedDomain}`,
          to,
          subject: 'Later',
          text: 'T',
          scheduled_at: scheduledAt,
        },
        headers,
      );
    const key = { 'idempotency-key': 'later' };
    const some = await schedule(['late@example.test', 'still@example.test'], key);
    const none = await schedule(['late@example.test']);
    const { body: made } = await client.post('/suppressions', { addresses: ['late@example.test'] });
    await cloud().advance(3700);
    await cloud().waitForQuiescence();
    expect(await cloud().sentTo('late@example.test')).toEqual([]);
    expect(await cloud().sentTo('still@example.test')).toHaveLength(1);
    const { body } = await client.get(`/emails/${some.body.id}`);
    expect(body.status).toBe('delivered');
    expect(body.events).toContainEqual(
      expect.objectContaining({ type: 'suppressed', recipients: ['late@example.test'] }),
    );
    expect((await client.get(`/emails/${none.body.id}`)).body.status).toBe('failed');
    expect(hook.requests.map(({ body: event }) => JSON.parse(event).data)).toMatchObject([
      { email_id: none.body.id, reason: 'every recipient is suppressed' },
    ]);
    expect((await client.get(`/suppressions/${made.data[0]?.id}`)).body.blocks).toBe(2);
    const replayed = await schedule(['late@example.test', 'still@example.test'], key);
    expect(replayed).toMatchObject({ status: 200, body: { id: some.body.id, status: 'delivered' } });
  });
});
