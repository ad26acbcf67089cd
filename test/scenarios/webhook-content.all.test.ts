/** Content of emails in webhooks: what an endpoint includes, where it is cut, what is shown and stored of it. */
import { expect, it } from 'vitest';
import { includedBytesMax } from '../../lib/core/webhooks/included.ts';
import { createV1Endpoint } from '../../lib/services/webhooks/endpoints.ts';
import { type Api, api } from '../support/api.ts';
import { cloud } from '../support/cloud.ts';
import { type Receiver, receiver } from '../support/receiver.ts';
import { itemsOf } from '../support/stored.ts';
import { type TestWorkspace, workspace } from '../support/workspace.ts';

const parts = ['text', 'stripped_text', 'attachment_text', 'headers'] as const;

interface ReceivedData {
  readonly email_id: string;
  readonly text?: string | null;
  readonly stripped_text?: string | null;
  readonly headers?: readonly { readonly name: string; readonly value: string }[];
  readonly attachments: readonly { readonly preparation: { readonly text: string | null } | null }[];
  readonly truncated?: readonly string[];
}
interface Delivery {
  readonly id: string;
  readonly body: { readonly data: ReceivedData } | null;
}

async function endpointAt(client: Api, hook: Receiver, include?: readonly string[]): Promise<string> {
  const settings = { url: hook.url, subscriptions: ['email.received'], ...(include && { include }) };
  const { status, body } = await client.post<{ id: string; include: string[] }>(
    '/webhook-endpoints',
    settings,
  );
  expect({ status, include: body.include }).toEqual({ status: 201, include: include ?? [] });
  return `/webhook-endpoints/${body.id}`;
}

async function receive(ours: TestWorkspace, change: object = {}): Promise<void> {
  await cloud().sendMail({
    from: 'ann@example.test',
    to: `desk@${ours.providedDomain}`,
    subject: 'Question',
    text: 'How are you?\n\nOn Monday, Support wrote:\n> It is on its way.\n',
    ...change,
  });
  await cloud().waitForQuiescence();
}

const dataAt = ({ requests }: Receiver): ReceivedData[] => requests.map(({ body }) => JSON.parse(body).data);

/** Data of each event once, in the order of their first requests: deliveries are at least once. */
const eventsAt = (hook: Receiver): ReceivedData[] => [
  ...new Map(dataAt(hook).map((data) => [data.email_id, data])).values(),
];

it('email.received carries what the endpoint includes, and its delivery shows it as it was sent', async () => {
  const ours = await workspace();
  const client = api(ours);
  const [all, none] = [await receiver(), await receiver()];
  const endpoint = await endpointAt(client, all, parts);
  await endpointAt(client, none);
  await receive(ours, {
    attachments: [{ filename: 'list.csv', content: Buffer.from('item,count\nbooks,2\n') }],
  });
  const [data] = dataAt(all);
  expect(data).toMatchObject({
    text: expect.stringContaining('It is on its way.'),
    stripped_text: 'How are you?',
    attachments: [{ filename: 'list.csv', preparation: { text: expect.stringContaining('books') } }],
    truncated: [],
  });
  expect(data?.headers).toContainEqual({ name: 'Subject', value: 'Question' });
  expect(
    Object.keys(dataAt(none)[0] ?? {}).filter((name) => name === 'truncated' || name === 'headers'),
  ).toEqual([]);
  const [delivery] = (await client.get<{ data: Delivery[] }>(`${endpoint}/deliveries`)).body.data;
  expect(JSON.stringify(delivery?.body)).toBe(all.requests[0]?.body);
  const logged = (await client.get<{ data: { data: object }[] }>('/events?type=email.received')).body.data;
  expect(logged.map(({ data: of }) => 'text' in of)).toEqual([false]);
  // Sent again, it is the same, whatever the endpoint includes by now.
  await client.patch(endpoint, { include: [] });
  await client.post(`${endpoint}/deliveries/retry`, { delivery_ids: [delivery?.id] });
  await cloud().waitForQuiescence();
  expect(all.requests[1]?.body).toBe(all.requests[0]?.body);
  await receive(ours, { subject: 'Another' });
  expect(dataAt(all)[2]).not.toHaveProperty('text');
});

it('each part is cut at 64 KB, at a whole character', async () => {
  const ours = await workspace();
  const hook = await receiver();
  const endpoint = await endpointAt(api(ours), hook, parts);
  const long = 'ä'.repeat(includedBytesMax / 2);
  const rows = `${'item,'.repeat(9)}\n`.repeat(900);
  await receive(ours, {
    text: `x${long}`,
    attachments: ['a.csv', 'b.csv', 'c.csv'].map((filename) => ({ filename, content: Buffer.from(rows) })),
  });
  await receive(ours, { text: long });
  const [cut, whole] = eventsAt(hook);
  expect(cut?.text).toBe(`x${'ä'.repeat(includedBytesMax / 2 - 1)}`);
  expect(cut?.truncated).toEqual(['text', 'stripped_text', 'attachment_text']);
  const texts = cut?.attachments.map(({ preparation }) => Buffer.byteLength(preparation?.text ?? '')) ?? [];
  expect(texts.reduce((sum, bytes) => sum + bytes, 0)).toBeLessThanOrEqual(includedBytesMax);
  expect(cut?.attachments.at(-1)?.preparation?.text).toBeNull();
  expect(whole).toMatchObject({ text: long, truncated: [] });
  expect((await api(ours).get<{ data: Delivery[] }>(`${endpoint}/deliveries`)).body.data).toHaveLength(2);
});

it('the largest body that can be is stored and sent', async () => {
  const ours = await workspace();
  const hook = await receiver();
  await endpointAt(api(ours), hook, parts);
  // Control characters take six characters in JSON; random ones do not shrink.
  const random = Array.from({ length: 70_000 }, () => String.fromCharCode(33 + Math.random() * 94)).join('');
  const lines = (random.match(/.{1,900}/g) ?? []).join('\n');
  await receive(ours, { text: `${lines}\n${'\u0001'.repeat(100)}` });
  const [data] = dataAt(hook);
  expect(data?.truncated).toEqual(['text', 'stripped_text']);
  // The previous release does not read that of a delivery.
  const bodies = (await itemsOf(ours.id)).flatMap(({ body, body_new }) =>
    [body, body_new].map((one) => (one instanceof Uint8Array ? one.length : 0)),
  );
  expect(Math.max(...bodies)).toBeGreaterThan(50 * 1024);
  expect(Math.max(...bodies)).toBeLessThan(300 * 1024);
});

it('endpoints of format v1, and unknown parts, are refused', async () => {
  const ours = await workspace();
  const client = api(ours);
  const url = 'https://hooks.example.com/in';
  const settings = { url, enabled: true, routing: [], maxConcurrency: 1 };
  const v1 = await createV1Endpoint(ours.id, { ...settings, subscriptions: ['email.received'] }, null);
  expect(await client.patch(`/webhook-endpoints/${v1.id}`, { include: ['text'] })).toMatchObject({
    status: 422,
    body: { issues: [{ path: 'include' }] },
  });
  const unknown = { url, subscriptions: ['email.received'], include: ['html'] };
  expect((await client.post('/webhook-endpoints', unknown)).status).toBe(422);
  const twice = { url, subscriptions: ['email.received'], include: ['text', 'text'] };
  expect((await client.post('/webhook-endpoints', twice)).body).toMatchObject({ include: ['text'] });
});
