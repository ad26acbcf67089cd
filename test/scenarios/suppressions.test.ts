/** Suppression lists: the operations, the effect on sends, and the entries from bounces and complaints. */
import { describe, expect, it } from 'vitest';
import { type Api, api } from '../support/api.ts';
import { cloud } from '../support/cloud.ts';
import { workspace } from '../support/workspace.ts';

interface Suppression {
  readonly id: string;
  readonly address: string;
  readonly key: string;
  readonly scope: string;
  readonly reason: string;
  readonly note: string | null;
  readonly blocks: number;
  readonly last_blocked_at: string | null;
  readonly source_email_id: string | null;
  readonly created_at: string;
}
interface List {
  readonly data: readonly Suppression[];
  readonly next_cursor: string | null;
}
interface Sent {
  readonly id: string;
  readonly code: string;
  readonly status: string;
  readonly suppressed: readonly string[];
}

const timestamp = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

async function begin() {
  const ours = await workspace();
  const client = api(ours);
  const from = `desk@${ours.providedDomain}`;
  return {
    ours,
    client,
    from,
    suppress: async (body: object) => {
      const answer = await client.post<List>('/suppressions', body);
      expect(answer.status).toBe(201);
      return answer.body.data;
    },
    send: async (body: object) =>
      await client.post<Sent>('/emails', { from, to: 'a@example.test', subject: 'S', text: 'T', ...body }),
    list: async (query = '') => (await client.get<List>(`/suppressions${query}`)).body.data,
  };
}

const addressesOf = (list: readonly Suppression[]) => list.map(({ address }) => address);

describe('suppressions', () => {
  it('come back in the order of the request, with one id for each address', async () => {
    const { suppress, client } = await begin();
    const made = await suppress({
      addresses: ['b@example.test', 'A@Example.TEST', 'a@example.test'],
      note: 'n',
    });
    expect(made).toHaveLength(3);
    expect(made[0]).toEqual({
      id: expect.stringMatching(/^sup_[0-9a-f]{32}$/),
      address: 'b@example.test',
      key: '*',
      space_id: null,
      scope: 'all',
      reason: 'manual',
      note: 'n',
      blocks: 0,
      last_blocked_at: null,
      source_email_id: null,
      created_at: timestamp,
    });
    expect(made[1]?.id).toBe(made[2]?.id);
    expect((await client.get(`/suppressions/${made[0]?.id}`)).body).toEqual(made[0]);
  });

  it('are updated and never narrowed when they are created again', async () => {
    const { suppress } = await begin();
    const given = { addresses: ['a@example.test'], key: 'news' };
    const [first] = await suppress({ ...given, scope: 'optional', note: 'first' });
    const [wider] = await suppress({ ...given, scope: 'all' });
    expect(wider).toEqual({ ...first, scope: 'all' });
    const [again] = await suppress({ ...given, scope: 'optional', note: 'third' });
    expect(again).toEqual({ ...first, scope: 'all', note: 'third' });
  });

  it('are refused with the path of the address when one is invalid', async () => {
    const { client } = await begin();
    const answer = await client.post('/suppressions', { addresses: ['a@example.test', 'nobody'] });
    expect(answer.status).toBe(422);
    expect(answer.body.issues).toEqual([{ path: 'addresses.1', message: expect.any(String) }]);
  });

  it('are listed newest first, filtered by key, reason, part of an address and space', async () => {
    const { suppress, client, list } = await begin();
    const space = (await client.post('/spaces', { name: 'Acme' })).body.id;
    await suppress({ addresses: ['one@example.test'] });
    await suppress({ addresses: ['two@bücher.example'], key: 'news' });
    await suppress({ addresses: ['three@example.test'], space_id: space });
    expect(addressesOf(await list())).toEqual([
      'three@example.test',
      'two@xn--bcher-kva.example',
      'one@example.test',
    ]);
    expect(addressesOf(await list('?key=news'))).toEqual(['two@xn--bcher-kva.example']);
    expect(addressesOf(await list('?reason=bounce'))).toEqual([]);
    expect(addressesOf(await list('?address=ONE@'))).toEqual(['one@example.test']);
    expect(addressesOf(await list(`?address=${encodeURIComponent('two@Bücher.example')}`))).toHaveLength(1);
    expect(addressesOf(await list('?space=none'))).toEqual(['two@xn--bcher-kva.example', 'one@example.test']);
    expect(addressesOf(await list(`?space=${space}`))).toEqual(['three@example.test']);
    const page = await client.get<List>('/suppressions?limit=2');
    expect(addressesOf(page.body.data)).toHaveLength(2);
    const rest = await client.get<List>(`/suppressions?limit=2&cursor=${page.body.next_cursor}`);
    expect(addressesOf(rest.body.data)).toEqual(['one@example.test']);
    expect(rest.body.next_cursor).toBeNull();
  });

  it('stop blocking at once when deleted, and get a new id when created again', async () => {
    const { suppress, client, send } = await begin();
    const [first] = await suppress({ addresses: ['a@example.test'] });
    expect((await send({})).body.code).toBe('no_recipients');
    expect((await client.delete(`/suppressions/${first?.id}`)).status).toBe(204);
    expect((await send({})).status).toBe(201);
    const [second] = await suppress({ addresses: ['a@example.test'] });
    expect(second?.id).not.toBe(first?.id);
    expect((await client.get(`/suppressions/${first?.id}`)).body.code).toBe('not_found');
    expect((await client.delete(`/suppressions/${first?.id}`)).body.code).toBe('not_found');
  });

  it('are not_found when the space does not exist', async () => {
    const { client } = await begin();
    const spaceId = `spc_${'0'.repeat(32)}`;
    const answer = await client.post('/suppressions', { addresses: ['a@example.test'], space_id: spaceId });
    expect(answer.body.code).toBe('not_found');
  });

  it('have no effect in another workspace', async () => {
    const theirs = await begin();
    const [made] = await theirs.suppress({ addresses: ['a@example.test'] });
    const { client, send } = await begin();
    expect((await client.get(`/suppressions/${made?.id}`)).body.code).toBe('not_found');
    expect((await client.delete(`/suppressions/${made?.id}`)).body.code).toBe('not_found');
    expect((await send({})).body.suppressed).toEqual([]);
  });
});

describe('a send', () => {
  it('reaches the other recipients, names the suppressed ones and counts the block', async () => {
    const { client, suppress, send, from } = await begin();
    const [made] = await suppress({ addresses: ['anna@example.test'] });
    const sent = await send({ to: ['ANNA@example.TEST', 'ben@example.test'], cc: 'cleo@example.test' });
    expect(sent.status).toBe(201);
    expect(sent.body.suppressed).toEqual(['ANNA@example.test']);
    await cloud().waitForQuiescence();
    const [submitted] = (await cloud().sentTo('ben@example.test')).filter((mail) => mail.from === from);
    expect(submitted?.recipients).toEqual(['ben@example.test', 'cleo@example.test']);
    const { body } = await client.get(`/emails/${sent.body.id}`);
    expect(body).toMatchObject({ status: 'delivered', to: ['ANNA@example.test', 'ben@example.test'] });
    expect((body.events as object[])[0]).toEqual({
      type: 'suppressed',
      at: timestamp,
      recipients: ['ANNA@example.test'],
      detail: null,
    });
    const counted = await client.get(`/suppressions/${made?.id}`);
    expect(counted.body).toMatchObject({ blocks: 1, last_blocked_at: timestamp });
  });

  it('is no_recipients and counted when every recipient is suppressed', async () => {
    const { client, suppress, send, list } = await begin();
    await suppress({ addresses: ['a@example.test', 'b@example.test'] });
    const refused = await send({ to: ['a@example.test', 'b@example.test'] });
    expect(refused.status).toBe(400);
    expect(refused.body).toMatchObject({
      code: 'no_recipients',
      detail: 'Every recipient is suppressed: a@example.test by list `*`, b@example.test by list `*`.',
    });
    expect((await list()).map(({ blocks }) => blocks)).toEqual([1, 1]);
    expect((await client.get('/emails')).body.data).toEqual([]);
  });

  it('is replayed with an empty `suppressed` when recipients are suppressed meanwhile', async () => {
    const { client, suppress, from } = await begin();
    await suppress({ addresses: ['b@example.test'] });
    const body = { from, to: ['a@example.test', 'b@example.test'], subject: 'S', text: 'T' };
    const first = await client.post<Sent>('/emails', body, { 'idempotency-key': 'k' });
    expect(first.body.suppressed).toEqual(['b@example.test']);
    await suppress({ addresses: ['a@example.test'] });
    const again = await client.post<Sent>('/emails', body, { 'idempotency-key': 'k' });
    expect(again.status).toBe(200);
    expect(again.body).toMatchObject({ id: first.body.id, suppressed: [] });
  });

  it('is checked against its own key and * only', async () => {
    const { suppress, send } = await begin();
    await suppress({ addresses: ['a@example.test'], key: 'news' });
    expect((await send({})).status).toBe(201);
    expect((await send({ suppression_key: 'offers' })).status).toBe(201);
    expect((await send({ suppression_key: 'news' })).body.code).toBe('no_recipients');
  });

  it('is blocked by the scope optional when it is optional mail', async () => {
    const { suppress, send } = await begin();
    await suppress({ addresses: ['a@example.test'], scope: 'optional' });
    expect((await send({})).status).toBe(201);
    expect((await send({ unsubscribe: true })).body.code).toBe('no_recipients');
  });

  it('is blocked by suppressions of its space and of the workspace when it is sent in a space', async () => {
    const { ours, client, suppress, send } = await begin();
    const [acme = '', other = ''] = await Promise.all(
      ['Acme', 'Other'].map(async (name) => (await client.post('/spaces', { name })).body.id),
    );
    const host = `${ours.slug}.example.test`;
    await verified(client, host, acme);
    await suppress({ addresses: ['acme@example.test'], space_id: acme });
    await suppress({ addresses: ['other@example.test'], space_id: other });
    await suppress({ addresses: ['all@example.test'] });
    const to = ['acme@example.test', 'other@example.test', 'all@example.test', 'x@example.test'];
    const inSpace = await send({ from: `a@${host}`, to });
    expect(inSpace.body, JSON.stringify(inSpace.body)).toHaveProperty('suppressed');
    expect(inSpace.body.suppressed).toEqual(['acme@example.test', 'all@example.test']);
    expect((await send({ to })).body.suppressed).toEqual(['all@example.test']);
  });

  it('leaves out the suppressed recipients when there are 300', async () => {
    const { suppress, send } = await begin();
    const of = (field: string) => Array.from({ length: 100 }, (_, at) => `${field}${at}@example.test`);
    await suppress({ addresses: ['to99@example.test', 'bcc0@example.test'], key: 'news' });
    const sent = await send({ to: of('to'), cc: of('cc'), bcc: of('bcc'), suppression_key: 'news' });
    expect(sent.body.suppressed).toEqual(['to99@example.test', 'bcc0@example.test']);
  });
});

describe('a recipient', () => {
  it('is on the list * when it hard-bounces, for any suppression key', async () => {
    const { client, send, list } = await begin();
    const to = ['gone+bounce@example.test', 'full+softbounce@example.test'];
    const sent = await send({ to, suppression_key: 'news' });
    await cloud().waitForQuiescence();
    expect(await list()).toMatchObject([
      {
        address: 'gone+bounce@example.test',
        key: '*',
        space_id: null,
        scope: 'all',
        reason: 'bounce',
        source_email_id: sent.body.id,
      },
    ]);
    const next = await send({ to });
    expect(next.body.suppressed).toEqual(['gone+bounce@example.test']);
    expect((await client.get(`/emails/${sent.body.id}`)).body.status).toBe('bounced');
  });

  it('is on the list * with reason complaint when it complains, and loses its note', async () => {
    const { send, suppress, list } = await begin();
    const to = 'cross+complaint@example.test';
    const [noted] = await suppress({ addresses: [to], scope: 'optional', note: 'asked twice' });
    const sent = await send({ to });
    await cloud().waitForQuiescence();
    expect(await list()).toEqual([
      { ...noted, scope: 'all', reason: 'complaint', source_email_id: sent.body.id },
    ]);
  });
});

/** Adds a domain to a space and publishes its records. */
async function verified(client: Api, name: string, spaceId: string): Promise<void> {
  const { body } = await client.post('/domains', { name, space_id: spaceId });
  const records = body.records as { name: string; type: string; value: string; priority: number | null }[];
  for (const { name, type, value, priority } of records) {
    await cloud().control('POST', '/dns', { name, type, value, ...(priority !== null && { priority }) });
  }
  const checked = await client.post(`/domains/${body.id}/verify`);
  expect(checked.body.verified_at).not.toBeNull();
}
