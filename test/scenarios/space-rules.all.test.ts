/** Which resources belong to a space, and how they get it (docs/concepts/spaces.md#what-belongs-to-a-space). */
import { describe, expect, it } from 'vitest';
import { type AnyBody, api } from '../support/api.ts';
import { cloud } from '../support/cloud.ts';
import { verifiedDomain } from '../support/verified-domain.ts';
import { workspace } from '../support/workspace.ts';

async function start() {
  const ours = await workspace();
  const client = api(ours);
  const space = async (name: string) => (await client.post('/spaces', { name })).body.id;
  return { ours, client, space };
}

const issuesOf = ({ status, body }: { status: number; body: AnyBody }) => [
  status,
  (body.issues as { path: string }[] | undefined)?.map(({ path }) => path),
];

describe('a resource created without a space', () => {
  it('has space_id null, belongs to the workspace, and is in no space', async () => {
    const { ours, client, space } = await start();
    const acme = await space('Acme');
    const domain = await client.post('/domains', { name: `w.${ours.slug}.example` });
    const suppressed = await client.post('/suppressions', { addresses: ['a@example.test'] });
    const mail = { from: `hi@${ours.providedDomain}`, to: 'b@example.test', subject: 'S', text: 'T' };
    const email = await client.post('/emails', mail);
    const thread = await client.get(`/threads/${email.body.thread_id}`);
    const spaces = [domain.body, suppressed.body.data[0], email.body, thread.body].map(
      (one) => one?.space_id,
    );
    expect(spaces).toEqual([null, null, null, null]);
    for (const path of ['/domains', '/suppressions', '/emails', '/threads']) {
      expect((await client.get(`${path}?space=${acme}`)).body.data).toEqual([]);
      expect((await client.get(`${path}?space=none`)).body.data.length).toBeGreaterThan(0);
    }
  });
});

describe('a resource', () => {
  it('never moves to another space: no operation takes space_id of an existing one', async () => {
    const { client, space } = await start();
    const [acme, other] = [await space('Acme'), await space('Other')];
    const domain = await verifiedDomain(client, acme);
    expect(issuesOf(await client.patch(`/domains/${domain.id}`, { space_id: other }))).toEqual([
      422,
      ['space_id'],
    ]);
    await client.post('/suppressions', { addresses: ['a@example.test'], space_id: acme });
    await client.post('/suppressions', { addresses: ['a@example.test'], space_id: other });
    const listed = async (id: string) => (await client.get(`/suppressions?space=${id}`)).body.data;
    expect([await listed(acme), await listed(other)].map(({ length }) => length)).toEqual([1, 1]);
    await client.patch(`/spaces/${acme}`, { name: 'Acme Ltd', external_id: 'new' });
    expect((await client.get(`/domains/${domain.id}`)).body.space_id).toBe(acme);
  });
});

describe('emails and threads', () => {
  it('have the space of the domain that they went through, and a send names none', async () => {
    const { client, space } = await start();
    const acme = await space('Acme');
    const domain = await verifiedDomain(client, acme);
    const from = `hi@${domain.name}`;
    const mail = { from, to: 'anna@example.test', subject: 'Order', text: 'T' };
    expect(issuesOf(await client.post('/emails', { ...mail, space_id: acme }))).toEqual([422, ['space_id']]);
    const sent = await client.post('/emails', mail);
    await cloud().sendMail({ from: 'ben@example.test', to: from, subject: 'Hello', text: 'Hi' });
    await cloud().waitForQuiescence();
    const emails = (await client.get(`/emails?space=${acme}`)).body.data;
    expect(emails.map(({ direction, space_id }) => [direction, space_id])).toEqual([
      ['inbound', acme],
      ['outbound', acme],
    ]);
    for (const { id, thread_id } of [sent.body, ...emails]) {
      const { body } = await client.get<{ space_id: string; messages: AnyBody[] }>(`/threads/${thread_id}`);
      expect([body.space_id, ...body.messages.map(({ space_id }) => space_id)], id).toEqual([acme, acme]);
    }
  });
});

describe('API keys and webhook endpoints', () => {
  it('belong to the workspace: they take no space, have none, and reach every space', async () => {
    const { client, space } = await start();
    const acme = await space('Acme');
    const key = { name: 'K', scope: 'read' };
    const endpoint = { url: 'https://hooks.example/', subscriptions: ['email.sent'] };
    expect(issuesOf(await client.post('/api-keys', { ...key, space_id: acme }))).toEqual([422, ['space_id']]);
    const refused = await client.post('/webhook-endpoints', { ...endpoint, space_id: acme });
    expect(issuesOf(refused)).toEqual([422, ['space_id']]);
    const made = [await client.post('/api-keys', key), await client.post('/webhook-endpoints', endpoint)];
    expect(made.map(({ status, body }) => [status, 'space_id' in body])).toEqual([
      [201, false],
      [201, false],
    ]);
    const reader = api(String(made[0]?.body.key));
    expect((await reader.get(`/spaces/${acme}`)).status).toBe(200);
    expect((await reader.get(`/emails?space=${acme}`)).status).toBe(200);
  });
});
