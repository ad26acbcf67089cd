/** More of pacing rules: what they hold, when it leaves, and what changes of rules and of spaces do to it (docs/concepts/pacing.md). */
import { afterEach, describe, expect, it } from 'vitest';
import { now, timestamp } from '../../lib/adapters/clock.ts';
import { clearFaults, inject, put } from '../faults/kit.ts';
import { cloud } from '../support/cloud.ts';
import {
  limitRule,
  newSender,
  person,
  queueOf,
  type Sent,
  sentCount,
  settle,
  statusOf,
} from '../support/paced-mail.ts';
import { verifiedDomain } from '../support/verified-domain.ts';

afterEach(clearFaults);

describe('a limit', () => {
  it('lets emails leave as their projections say when other limits apply, too', async () => {
    const { client, send } = await newSender();
    await limitRule(client, { scope: 'rule', amount: 30, per_seconds: 3600 });
    await limitRule(client, { scope: 'to_domain', amount: 1, per_seconds: 1200 });
    await settle();
    const startedAt = now();
    // The first to each domain leaves early; the others wait for their domain, and let them pass.
    const hosts = ['slow.test', 'slow.test', 'slow.test', 'fast.test', 'slow.test', 'other.test'];
    const to = hosts.map((host) => person(host));
    const sent: Sent[] = [];
    for (const one of to) {
      sent.push(await send(one));
      // An email that leaves while the next one is projected may count twice.
      await settle();
    }
    const projected = sent.map(({ pacing }) => Date.parse(pacing?.estimated_send_at ?? '') - startedAt);
    const minutes = [0, 20, 40, 2, 60, 4];
    for (const [at, ahead] of projected.entries()) {
      expect(Math.abs(ahead - (minutes[at] ?? 0) * 60_000), `email ${at}`).toBeLessThan(60_000);
    }
    let passed = 0;
    for (const minute of [1, 3, 5, 19, 21, 39, 41, 59, 61]) {
      await settle((minute - passed) * 60);
      passed = minute;
      const mails = await Promise.all(to.map((one) => cloud().sentTo(one)));
      const gone = mails.map((list) => list.length > 0);
      expect(gone, `after ${minute} minutes`).toEqual(minutes.map((due) => due < minute));
    }
  });

  it('of each recipient holds nothing for others', async () => {
    const { client, send } = await newSender();
    await limitRule(client, { scope: 'to_address', amount: 1, per_seconds: 3600 });
    const [anna, bob] = [person(), person()];
    await send(anna);
    const again = await send(anna);
    const both = await send([anna, bob]);
    await send(bob);
    await settle();
    expect(await cloud().sentTo(anna)).toHaveLength(1);
    expect(await cloud().sentTo(bob)).toHaveLength(1);
    expect([await statusOf(client, again.id), await statusOf(client, both.id)]).toEqual(['queued', 'queued']);
    await settle(3660);
    expect(await cloud().sentTo(anna)).toHaveLength(2);
    await settle(3660);
    expect(await cloud().sentTo(anna)).toHaveLength(3);
    expect(await cloud().sentTo(bob)).toHaveLength(2);
  });
});

describe('hours', () => {
  it('hold emails until they open', async () => {
    const { client, send } = await newSender();
    const at = new Date(now());
    const minute = at.getUTCHours() * 60 + at.getUTCMinutes();
    const start = (minute + 120) % 1440;
    const schedule = {
      timezone: 'Etc/UTC',
      windows: [{ days: [0, 1, 2, 3, 4, 5, 6], start_minute: start, end_minute: (start + 60) % 1440 }],
    };
    const made = await client.post('/pacing-rules', { name: 'Hours', match: [], kind: 'hours', schedule });
    const to = person();
    const sent = await send(to);
    expect(sent.pacing?.held_by).toEqual({ kind: 'hours', rule_id: made.body.id });
    const opensAt = Math.floor(at.getTime() / 60_000) * 60_000 + 7_200_000;
    expect(Date.parse(sent.pacing?.estimated_send_at ?? '')).toBe(opensAt);
    await settle(7000);
    expect(await sentCount([to])).toBe(0);
    await settle(300);
    expect(await sentCount([to])).toBe(1);
  });
});

describe('a change of the rules', () => {
  it('is felt by what is held: disabling, changing, deleting', async () => {
    const { client, send } = await newSender();
    const rule = await limitRule(client, { scope: 'rule', amount: 1, per_seconds: 86_400 });
    const to = [person(), person(), person(), person()];
    for (const one of to) await send(one);
    await settle();
    expect(await sentCount(to)).toBe(1);
    const changed = await client.patch(`/pacing-rules/${rule}`, {
      limit: { scope: 'rule', amount: 2, per_seconds: 86_400 },
    });
    expect(changed.body).toMatchObject({ limit: { amount: 2 } });
    await settle(43_260);
    expect(await sentCount(to)).toBe(2);
    await client.patch(`/pacing-rules/${rule}`, { enabled: false });
    await settle(60);
    expect(await sentCount(to)).toBe(4);
    await client.patch(`/pacing-rules/${rule}`, { enabled: true });
    const last = person();
    await send(last);
    await settle();
    expect(await sentCount([last])).toBe(0);
    await client.delete(`/pacing-rules/${rule}`);
    await settle(60);
    expect(await sentCount([last])).toBe(1);
  });

  it('in a space holds the mail of this space only, and goes with the space', async () => {
    const { client, own, send } = await newSender();
    const { body: space } = await client.post('/spaces', { name: 'Acme' });
    await limitRule(client, { scope: 'rule', amount: 1, per_seconds: 86_400 }, { space_id: space.id });
    const to = [person(), person()];
    for (const one of to) expect((await send(one)).pacing).toBeNull();
    await settle();
    expect(await sentCount(to)).toBe(2);
    expect((await client.get(`/pacing-rules?space=${space.id}`)).body.data).toHaveLength(1);
    expect((await client.get('/pacing-rules?space=none')).body.data).toHaveLength(0);
    await client.delete(`/spaces/${space.id}`);
    expect((await client.get('/pacing-rules')).body.data).toHaveLength(0);
    expect(own.slug).not.toBe('');
  });
});

describe('a send', () => {
  it('passes the rules by with `skip`, and uses no allowance with `count: false`', async () => {
    const { client, send } = await newSender();
    await limitRule(client, { scope: 'rule', amount: 1, per_seconds: 3600 });
    await settle();
    const [free, skipped, held] = [person(), person(), person()];
    expect((await send(free, { pacing: { count: false } })).pacing).toMatchObject({
      held_by: { kind: 'ready' },
    });
    await settle();
    expect(await sentCount([free])).toBe(1);
    expect((await send(skipped, { pacing: { skip: true } })).pacing).toBeNull();
    await settle();
    expect(await sentCount([skipped])).toBe(1);
    expect((await send(held)).pacing?.held_by.kind).toBe('limit');
    await settle();
    expect(await sentCount([held])).toBe(0);
  });

  it('that is repeated answers without `pacing`, and sends nothing', async () => {
    const { client, send } = await newSender();
    await limitRule(client, { scope: 'rule', amount: 1, per_seconds: 3600 });
    const to = person();
    const key = { 'idempotency-key': crypto.randomUUID() };
    expect((await send(to, {}, key)).pacing).not.toBeNull();
    const again = await send(to, { pacing: { skip: false, count: true } }, key);
    expect(again.pacing).toBeNull();
    await settle();
    expect(await cloud().sentTo(to)).toHaveLength(1);
  });

  it('that is scheduled meets the rules at its time', async () => {
    const { client, send } = await newSender();
    await limitRule(client, { scope: 'rule', amount: 1, per_seconds: 3600 });
    const to = [person(), person()];
    const at = timestamp(now() + 3_600_000);
    for (const one of to) expect((await send(one, { scheduled_at: at })).pacing).toBeNull();
    await settle();
    await settle(3700);
    expect(await sentCount(to)).toBe(1);
    expect((await queueOf(client)).total).toBe(1);
    await settle(3660);
    expect(await sentCount(to)).toBe(2);
  });

  it('that is scheduled and held stays held when the message of its timer comes again', async () => {
    const { own, client, send } = await newSender();
    await limitRule(client, { scope: 'rule', amount: 1, per_seconds: 3600 });
    const to = person();
    const at = timestamp(now() + 60_000);
    await send(person());
    const held = await send(to, { scheduled_at: at });
    await settle(120);
    expect((await queueOf(client)).data.map(({ email_id: id }) => id)).toEqual([held.id]);
    const timer = { kind: 'send-mail', v: 1, workspaceId: own.id, emailId: held.id, chunk: null, slot: null };
    await put('mail', JSON.stringify(timer));
    await settle();
    expect(await sentCount([to])).toBe(0);
    await settle(3660);
    expect(await sentCount([to])).toBe(1);
  });

  it('with `Prefer: wait` answers `queued` where rules hold it', async () => {
    const { client, send } = await newSender();
    await limitRule(client, { scope: 'rule', amount: 1, per_seconds: 3600 });
    await send(person());
    await settle();
    const held = await send(person(), {}, { prefer: 'wait=5' });
    expect(held).toMatchObject({ status: 'queued', pacing: { held_by: { kind: 'limit' } } });
  });
});

describe('a release by hand', () => {
  it('lets held emails go, and leaves others out', async () => {
    const { client, send } = await newSender();
    await limitRule(client, { scope: 'rule', amount: 1, per_seconds: 86_400 });
    const to = [person(), person(), person()];
    const sent: Sent[] = [];
    for (const one of to) sent.push(await send(one));
    await settle();
    const ids = sent.map(({ id }) => id);
    const released = await client.post('/pacing-queue/release', {
      email_ids: [...ids, 'eml_019c1430b800a1b2c3d4e5f60718293a', ids[0]?.replace('eml', 'thr'), 'x'],
      count_toward_limits: false,
    });
    expect(released.status).toBe(200);
    expect([...released.body.data].sort()).toEqual(ids.slice(1).sort());
    await settle();
    expect(await sentCount(to)).toBe(3);
    expect((await queueOf(client)).total).toBe(0);
    // Nothing was used up by them: the next email waits for the one email of today.
    const next = await send(person());
    const wait = Date.parse(next.pacing?.estimated_send_at ?? '') - now();
    expect(wait).toBeLessThan(86_500_000);
  });

  it('uses up allowance unless told otherwise', async () => {
    const { client, send } = await newSender();
    await limitRule(client, { scope: 'rule', amount: 2, per_seconds: 7200 });
    const to = [person(), person(), person()];
    const sent: Sent[] = [];
    for (const one of to) sent.push(await send(one));
    await settle();
    expect(await sentCount(to)).toBe(1);
    const released = await client.post('/pacing-queue/release', { email_ids: [sent[1]?.id] });
    expect(released.body.data).toEqual([sent[1]?.id]);
    await settle(3660);
    // Without the release, the second of the two hours would be its turn.
    expect(await sentCount(to)).toBe(2);
    await settle(3660);
    expect(await sentCount(to)).toBe(3);
  });
});

describe('a held email', () => {
  it('is not sent to an address that was suppressed meanwhile', async () => {
    const { client, send } = await newSender();
    await limitRule(client, { scope: 'rule', amount: 1, per_seconds: 3600 });
    const [first, both, only] = [person(), person(), person()];
    await send(first);
    const half = await send([both, only]);
    const none = await send(only);
    await settle();
    await client.post('/suppressions', { addresses: [only] });
    await settle(2 * 3660);
    expect(await statusOf(client, half.id)).toBe('delivered');
    expect(await statusOf(client, none.id)).toBe('failed');
    expect(await cloud().sentTo(both)).toHaveLength(1);
    expect(await cloud().sentTo(only)).toHaveLength(0);
    expect((await queueOf(client)).total).toBe(0);
  });

  it('is never sent when its space is deleted, and leaves the queue at once', async () => {
    const { client, send } = await newSender();
    const space = await client.post('/spaces', { name: 'Held' });
    const domain = await verifiedDomain(client, space.body.id);
    await limitRule(client, { scope: 'from_address', amount: 1, per_seconds: 3600 });
    const to = [person(), person(), person()];
    for (const one of to) await send(one, { from: `hi@${domain.name}` });
    const other = [person(), person()];
    for (const one of other) await send(one);
    await settle();
    expect(await sentCount(to)).toBe(1);
    expect((await queueOf(client)).total).toBe(3);
    expect((await client.delete(`/spaces/${space.body.id}`)).status).toBe(204);
    expect((await queueOf(client)).total).toBe(1);
    await settle(4 * 3660);
    expect(await sentCount(to)).toBe(1);
    expect(await sentCount(other)).toBe(2);
    expect(await queueOf(client)).toMatchObject({ data: [], total: 0 });
  });

  it('is sent by the sweep when the timer of its pacer was lost', async () => {
    const { own, client, send } = await newSender();
    await limitRule(client, { scope: 'rule', amount: 6, per_seconds: 3600 });
    const to = [person(), person()];
    await send(to[0] ?? '');
    await send(to[1] ?? '');
    await inject({
      worker: 'forward-delayed',
      kind: 'error',
      action: 'SendMessage',
      code: 'Lost',
      match: own.id,
      times: 1000,
    });
    await settle();
    expect(await sentCount(to)).toBe(1);
    await settle(620);
    expect(await sentCount(to)).toBe(1);
    for (const _ of ['until the timer is two minutes late', 'until the sweep runs', 'until it has run'])
      await settle(61);
    expect(await sentCount(to)).toBe(2);
  });

  it('is counted when more are held than the queue shows', async () => {
    const { client, send } = await newSender();
    await limitRule(client, { scope: 'rule', amount: 1, per_seconds: 86_400 });
    const sent: Sent[] = [];
    for (let number = 0; number < 7; number++) sent.push(await send(person()));
    expect(await queueOf(client, '?limit=2')).toMatchObject({ sampled: 2 });
    await settle();
    expect(await queueOf(client, '?limit=2')).toMatchObject({ total: 6, sampled: 2 });
    await client.post('/pacing-queue/release', { email_ids: [sent[3]?.id] });
    expect(await queueOf(client, '?limit=2')).toMatchObject({ total: 5, sampled: 2 });
    await settle();
    expect(await queueOf(client, '?limit=2')).toMatchObject({ total: 5, sampled: 2 });
    await limitRule(client, { scope: 'to_domain', amount: 1, per_seconds: 86_400 });
    await settle();
    expect(await queueOf(client, '?limit=2')).toMatchObject({ total: 5, sampled: 2 });
  });
});
