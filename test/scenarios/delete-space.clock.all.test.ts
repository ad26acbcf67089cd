/** Deletion of a space through the API: what is hidden at once, and what is left in the end. */
import { afterEach, describe, expect, it } from 'vitest';
import { now, timestamp } from '../../lib/adapters/clock.ts';
import { clearFaults, inject, untilDone } from '../faults/kit.ts';
import { type AnyBody, type Api, api } from '../support/api.ts';
import { cloud } from '../support/cloud.ts';
import { incompressible } from '../support/incompressible.ts';
import { linkIn, onlyMailTo } from '../support/mail-links.ts';
import { receiver } from '../support/receiver.ts';
import { itemsOf, keysOf, naming, objects } from '../support/stored.ts';
import { verifiedDomain } from '../support/verified-domain.ts';
import { type TestWorkspace, workspace } from '../support/workspace.ts';

afterEach(clearFaults);

/** Mail in both directions at a domain, with everything that is stored for mail, and a suppression. */
async function fill(own: TestWorkspace, spaceId: string | null) {
  const client = api(own);
  const domain = await verifiedDomain(client, spaceId);
  await client.patch(`/domains/${domain.id}`, { track_opens: true });
  await cloud().waitForQuiescence();
  const from = `hi@${domain.name}`;
  const reader = `${domain.name}@people.example.test`;
  const mail = {
    from,
    to: reader,
    subject: 'Your order',
    html: `<p>${incompressible(6000)}</p>`,
  };
  const { body: upload } = await client.post<{
    id: string;
    upload_url: string;
    upload_headers: Record<string, string>;
  }>('/attachments', { filename: 'u.txt', content_type: 'text/plain', size: 5 });
  await fetch(upload.upload_url, { method: 'PUT', headers: upload.upload_headers, body: 'hello' });
  const { body: sent } = await client.post(
    '/emails',
    {
      ...mail,
      unsubscribe: true,
      attachments: [
        { filename: 'a.txt', content: Buffer.from('Terms').toString('base64') },
        { attachment_id: upload.id },
      ],
    },
    { 'Idempotency-Key': 'order-1' },
  );
  const later = { ...mail, subject: 'Later', scheduled_at: timestamp(now() + 10 * 86_400_000) };
  const { body: scheduled } = await client.post('/emails', later);
  const { body: suppressed } = await client.post('/suppressions', {
    addresses: [`gone-${domain.name}@example.test`],
    ...(spaceId !== null && { space_id: spaceId }),
  });
  await cloud().waitForQuiescence();
  const arrived = await onlyMailTo(reader, from);
  await fetch(linkIn(arrived.html, '/t/o/'), { headers: { 'user-agent': 'Mozilla/5.0' } });
  const unsubscribe = linkIn(arrived.headers['list-unsubscribe'] ?? '', '/u/');
  await cloud().sendMail({
    from: reader,
    to: [from, `second@${domain.name}`],
    subject: 'Re: Your order',
    text: 'Thank you!',
    messageId: `<answer@${domain.name}>`,
    inReplyTo: String(arrived.headers['message-id']),
    references: [`<missing@${domain.name}>`, String(arrived.headers['message-id'])],
    attachments: [
      { filename: 'note.txt', content: 'A note.' },
      { filename: 'table.csv', content: 'a,b\n1,2' },
    ],
  });
  await cloud().waitForQuiescence();
  await cloud().advance(15);
  await cloud().waitForQuiescence();
  const { body: received } = await client.get<AnyBody>('/emails?direction=inbound&limit=1');
  const inbound = received.data[0];
  const { body: full } = await client.get<{ attachments: { id: string }[] }>(`/emails/${inbound?.id}`);
  const { body: events } = await client.get(`/events${spaceId ? `?space=${spaceId}` : ''}`);
  return {
    domain,
    from,
    reader,
    sent,
    scheduled,
    unsubscribe,
    inbound: inbound?.id,
    thread: sent.thread_id,
    suppression: suppressed.data[0]?.id,
    attachment: full.attachments[0]?.id,
    event: events.data[0]?.id,
  };
}

type Filled = Awaited<ReturnType<typeof fill>>;

const endpointTypes = ['email.sent', 'email.delivered', 'email.received', 'email.opened', 'thread.created'];

/** A workspace whose endpoint takes all events. */
async function start() {
  const own = await workspace();
  const client = api(own);
  const hook = await receiver();
  const endpoint = await client.post('/webhook-endpoints', { url: hook.url, subscriptions: endpointTypes });
  const space = async (externalId: string) =>
    (await client.post('/spaces', { name: externalId, external_id: externalId })).body;
  return { own, client, hook, endpointId: endpoint.body.id, space };
}

/** The path of each resource of a filled space, by id. */
const pathsOf = (filled: Filled): string[] => [
  `/domains/${filled.domain.id}`,
  `/emails/${filled.sent.id}`,
  `/emails/${filled.sent.id}/engagements`,
  `/emails/${filled.inbound}`,
  `/emails/${filled.scheduled.id}`,
  `/threads/${filled.thread}`,
  `/attachments/${filled.attachment}`,
  `/suppressions/${filled.suppression}`,
  `/events/${filled.event}`,
];

const lists = ['/domains', '/emails', '/threads', '/suppressions', '/events', '/spaces'];

/** Everything that the lists have, without filters. */
async function listed(client: Api, endpointId: string): Promise<string> {
  const paths = [...lists, `/webhook-endpoints/${endpointId}/deliveries`, '/emails?direction=outbound'];
  const pages = await Promise.all(
    paths.map(async (path) => {
      const data: AnyBody[] = [];
      for (let cursor: string | null = ''; cursor !== null; ) {
        const and = path.includes('?') ? '&' : '?';
        const { body }: { body: AnyBody } = await client.get(
          `${path}${and}limit=100${cursor ? `&cursor=${encodeURIComponent(cursor)}` : ''}`,
        );
        data.push(...body.data);
        cursor = body.next_cursor;
      }
      return data;
    }),
  );
  return JSON.stringify(pages);
}

/** Runs the teardown to its end. */
async function tearDown(): Promise<void> {
  for (let pass = 0; pass < 3; pass++) {
    await cloud().waitForQuiescence();
    await cloud().advance(901);
  }
  await untilDone(901);
}

describe('a deleted space', () => {
  it('is not found by any read, list, send or mail from the response on, while everything is still stored', async () => {
    const { own, client, hook, endpointId, space } = await start();
    const acme = await space('acme');
    const filled = await fill(own, acme.id);
    const before = await Promise.all(pathsOf(filled).map((path) => client.get(path)));
    expect(before.map(({ status }) => status)).toEqual(
      pathsOf(filled).map((path) => (/att/.test(path) ? 307 : 200)),
    );
    expect(await listed(client, endpointId)).toContain(acme.id);
    // Nothing is removed: the message that would is lost.
    await inject({ principal: 'parley-worker-run-task', kind: 'error', times: 1000, service: 'dynamodb' });

    expect((await client.delete(`/spaces/${acme.id}`)).status).toBe(204);

    const after = await Promise.all(pathsOf(filled).map((path) => client.get(path)));
    expect(after.map(({ status }) => status)).toEqual(pathsOf(filled).map(() => 404));
    expect(await listed(client, endpointId)).not.toContain(acme.id);
    const answers = await Promise.all([
      client.get(`/spaces/${acme.id}`),
      client.patch(`/spaces/${acme.id}`, { name: 'B' }),
      client.delete(`/spaces/${acme.id}`),
      ...lists.slice(0, 5).map((path) => client.get(`${path}?space=${acme.id}`)),
      client.delete(`/suppressions/${filled.suppression}`),
      client.delete(`/domains/${filled.domain.id}`),
      client.patch(`/domains/${filled.domain.id}`, { track_opens: false }),
      client.post(`/domains/${filled.domain.id}/verify`),
      client.post(`/emails/${filled.scheduled.id}/cancel`),
      client.post(`/threads/${filled.thread}/reply`, { text: 'Hi' }),
      client.post(`/threads/${filled.thread}/forward`, { to: 'x@example.test' }),
      client.post('/suppressions', { addresses: ['y@example.test'], space_id: acme.id }),
      client.post('/domains', { name: 'new.example', space_id: acme.id }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 404));
    const mail = { from: filled.from, to: filled.reader, subject: 'S', text: 'T' };
    const refused = await client.post('/emails', mail, { 'Idempotency-Key': 'order-1' });
    expect([refused.status, refused.body.code]).toEqual([400, 'sender_unknown']);
    const carried = {
      ...mail,
      from: `hi@${own.providedDomain}`,
      attachments: [{ attachment_id: filled.attachment }],
    };
    expect((await client.post('/emails', carried)).status).toBe(404);
    expect((await fetch(filled.unsubscribe)).status).toBe(404);

    const heard = hook.requests.length;
    await cloud().sendMail({
      from: filled.reader,
      to: filled.from,
      subject: 'Re: Your order',
      text: 'Hello?',
    });
    await cloud().advance(30);
    await cloud().waitForQuiescence();
    expect(hook.requests).toHaveLength(heard);
    expect(await listed(client, endpointId)).not.toContain('Hello?');
    const kept = naming(await itemsOf(own.id), acme.id);
    expect(kept.length).toBeGreaterThan(20);

    const again = await client.post('/spaces', { name: 'Acme', external_id: 'acme' });
    expect(again.status).toBe(201);
    expect((await client.get('/spaces?external_id=acme')).body.data).toEqual([again.body]);
    await clearFaults();
    await tearDown();
  });

  it('leaves exactly what other spaces and the workspace have, in the table and in the buckets', async () => {
    // Messages of other files expire when the clock moves.
    const expiring = new Set((await objects()).filter((path) => path.includes('-raw-mail-')));
    const { own, client, hook, endpointId, space } = await start();
    const other = await space('other');
    await fill(own, other.id);
    await fill(own, null);
    const [items, files] = [await itemsOf(own.id), await objects()];
    const shown = await listed(client, endpointId);
    const acme = await space('acme');
    const filled = await fill(own, acme.id);
    expect(naming(await itemsOf(own.id), acme.id).length).toBeGreaterThan(20);

    expect((await client.delete(`/spaces/${acme.id}`)).status).toBe(204);
    const heard = hook.requests.length;
    await tearDown();

    // The audit log has the deletion; messages of changes hold ids, and expire; events are counted a minute later.
    const isKept = ({ pk }: { pk: string }) => !/#AUDIT$|#OUT$|#USAGE$/.test(pk);
    const left = (await itemsOf(own.id)).filter(isKept);
    expect(naming(left, acme.id)).toEqual([]);
    // Uploads belong to the workspace, and expire.
    const withoutUploads = (keys: readonly string[]) =>
      keys.filter((key) => !/#UPLOADS |\/uploads\//.test(key) && !expiring.has(key));
    expect(withoutUploads(keysOf(left))).toEqual(withoutUploads(keysOf(items.filter(isKept))));
    expect(withoutUploads(await objects())).toEqual(withoutUploads(files));
    expect(await listed(client, endpointId)).toBe(shown);
    expect(hook.requests).toHaveLength(heard);
    expect((await client.get(`/emails/${filled.sent.id}`)).status).toBe(404);
  });
});
