/** Background checks of domains over days, and the events domain.verified and domain.lost. */
import { beforeEach, describe, expect, it } from 'vitest';
import { put } from '../faults/kit.ts';
import { api } from '../support/api.ts';
import { cloud } from '../support/cloud.ts';
import { type DomainBody, dkimOf, publish, unpublishDkim } from '../support/published-domain.ts';
import { receiver } from '../support/receiver.ts';
import { workspace } from '../support/workspace.ts';

const [minute, hour, day] = [60, 3600, 86_400];

interface Call {
  readonly principal: string;
  readonly action: string;
  readonly status: number;
}

let domains = 0;

/** A domain, and an endpoint for its events. */
async function begin() {
  const ours = await workspace();
  const client = api(ours);
  const hook = await receiver();
  await client.post('/webhook-endpoints', {
    url: hook.url,
    subscriptions: ['domain.verified', 'domain.lost'],
  });
  const name = `clock-${++domains}.test`;
  const { body: made } = await client.post<DomainBody>('/domains', { name });
  // Its outbox is relayed before the clock moves.
  await cloud().waitForQuiescence();
  return {
    ...client,
    ours,
    name,
    made,
    dkimName: dkimOf(made)[0]?.name ?? '',
    publish: () => publish(made, ['DKIM']),
    unpublish: () => unpublishDkim(made),
    read: async () => (await client.get<DomainBody>(`/domains/${made.id}`)).body,
    events: () => hook.requests.map(({ body }) => JSON.parse(body)),
  };
}

/** Advances the clock; how many background checks ran. */
async function checksIn(seconds: number): Promise<number> {
  await cloud().control('DELETE', '/calls');
  await cloud().advance(seconds);
  await cloud().waitForQuiescence();
  const { data } = await cloud().control<{ data: Call[] }>('GET', '/calls');
  return data.filter(
    ({ principal, action, status }) =>
      status === 200 && action === 'TransactWriteItems' && /^parley-worker-run-task~/.test(principal),
  ).length;
}

// Checks of earlier tests' domains would be counted.
let before: { delete(): Promise<unknown> }[] = [];
beforeEach(async () => {
  for (const domain of before.splice(0)) await domain.delete();
  await cloud().control('DELETE', '/faults');
});

async function alone() {
  const domain = await begin();
  before = [{ delete: () => domain.delete(`/domains/${domain.made.id}`) }];
  return domain;
}

describe('an unverified domain', () => {
  it('is checked hourly for three days, then daily', async () => {
    const { read } = await alone();
    expect(await checksIn(hour - minute)).toBe(0);
    expect(await checksIn(2 * minute)).toBe(1);
    const { records, verified_at } = await read();
    expect(verified_at).toBeNull();
    expect(new Set(records.map(({ state }) => state))).toEqual(new Set(['missing']));
    // Each wait is rounded up to a second.
    expect(await checksIn(day + minute)).toBe(24);
    expect(await checksIn(2 * day)).toBeOneOf([47, 48]);
    expect(await checksIn(3 * day)).toBe(3);
  });

  it('is verified by a background check, sends domain.verified once, and is then checked daily', async () => {
    const { publish, read, events, made, name, post, get } = await alone();
    await cloud().advance(hour + minute);
    await publish();
    await cloud().advance(hour);
    const found = await read();
    expect(found.verified_at).not.toBeNull();
    expect(events()).toMatchObject([
      {
        type: 'domain.verified',
        space_id: null,
        data: { domain_id: made.id, name, region: 'us-east-1' },
      },
    ]);
    expect(await checksIn(4 * day)).toBe(4);
    expect(events()).toHaveLength(1);
    expect((await read()).verified_at).toBe(found.verified_at);
    const sent = await post('/emails', { from: `a@${name}`, to: 'b@example.test', subject: 'S', text: 'T' });
    expect(sent.status).toBe(201);
    await cloud().waitForQuiescence();
    expect((await get<{ status: string }>(`/emails/${sent.body.id}`)).body.status).toBe('delivered');
  });

  it('keeps mail queued until SES has verified the identity', async () => {
    const { publish, made, name, post, get } = await alone();
    await cloud().control('POST', '/faults', {
      service: 'ses',
      action: 'GetEmailIdentity',
      kind: 'throttle',
      times: 1000,
    });
    await publish();
    expect((await post<DomainBody>(`/domains/${made.id}/verify`)).body.verified_at).not.toBeNull();
    const send = () => post('/emails', { from: `a@${name}`, to: 'b@example.test', subject: 'S', text: 'T' });
    const { body: email } = await send();
    const status = async () => (await get<{ status: string }>(`/emails/${email.id}`)).body.status;
    await cloud().waitForQuiescence();
    expect(await status()).toBe('queued');
    await cloud().advance(minute);
    expect(await status()).toBe('queued');
    await cloud().control('DELETE', '/faults');
    // The wait between two attempts doubles.
    await cloud().advance(5 * minute);
    expect(await status()).toBe('delivered');
  });
});

describe('a verified domain', () => {
  async function verified() {
    const domain = await alone();
    await domain.publish();
    await domain.post(`/domains/${domain.made.id}/verify`);
    await cloud().advance(hour + minute);
    return domain;
  }

  it('is lost when three checks over 72 hours miss its DKIM record', async () => {
    const { unpublish, publish, read, events, made, name, post } = await verified();
    await unpublish();
    await cloud().advance(3 * day);
    const missed = await read();
    expect(missed.verified_at).not.toBeNull();
    expect(missed.records.find(({ purpose }) => purpose === 'DKIM')?.state).toBe('missing');
    expect(events().map(({ type }) => type)).toEqual(['domain.verified']);
    await cloud().advance(day);
    expect((await read()).verified_at).toBeNull();
    expect(events().slice(1)).toMatchObject([
      { type: 'domain.lost', data: { domain_id: made.id, name, region: 'us-east-1' } },
    ]);
    const sent = await post('/emails', { from: `a@${name}`, to: 'b@example.test', subject: 'S', text: 'T' });
    expect(sent.body.code).toBe('domain_unverified');
    await publish();
    await cloud().advance(day);
    expect((await read()).verified_at).not.toBeNull();
    expect(events().map(({ type }) => type)).toEqual(['domain.verified', 'domain.lost', 'domain.verified']);
  });

  it('is not lost when the record returns in between', async () => {
    const { unpublish, publish, read, events } = await verified();
    const { verified_at } = await read();
    for (let round = 0; round < 2; round++) {
      await unpublish();
      await cloud().advance(2 * day);
      await publish();
      await cloud().advance(day);
    }
    expect((await read()).verified_at).toBe(verified_at);
    expect(events()).toHaveLength(1);
  });

  it('is not lost when DNS does not answer', async () => {
    const { dkimName, read, events } = await verified();
    const before = await read();
    await cloud().control('POST', '/dns/faults', { name: dkimName, fault: 'SERVFAIL' });
    await cloud().advance(5 * day);
    await cloud().control('POST', '/dns/faults', { name: dkimName, fault: null });
    const after = await read();
    expect(after.verified_at).toBe(before.verified_at);
    expect(after.records.find(({ purpose }) => purpose === 'DKIM')).toEqual(
      before.records.find(({ purpose }) => purpose === 'DKIM'),
    );
    expect(events()).toHaveLength(1);
  });
});

describe('check-domain', () => {
  it('starts no second chain of checks when the message is repeated', async () => {
    const { made, ours } = await alone();
    const message = { kind: 'check-domain', v: 1, workspaceId: ours.id, domainId: made.id };
    await put('tasks', JSON.stringify(message));
    expect(await checksIn(0)).toBe(0);
    // Due in the same second as the check that the domain's creation scheduled.
    const dueAt = Date.parse(made.created_at) + hour * 1000;
    for (let copy = 0; copy < 3; copy++) await put('delays', JSON.stringify({ message, dueAt }));
    expect(await checksIn(day + minute)).toBe(24);
    expect(await checksIn(day + minute)).toBe(24);
  });

  it('continues its chain of checks when the worker dies right after one', async () => {
    await alone();
    await cloud().control('POST', '/faults', {
      service: 'dynamodb',
      action: 'TransactWriteItems',
      principal: 'parley-worker-run-task',
      kind: 'kill-after',
      times: 1,
    });
    // The check that killed the worker is not counted.
    expect(await checksIn(day + minute)).toBe(23);
  });

  it('ends when its domain is deleted', async () => {
    const { made, delete: remove } = await alone();
    expect((await remove(`/domains/${made.id}`)).status).toBe(204);
    expect(await checksIn(2 * hour)).toBe(0);
  });
});
