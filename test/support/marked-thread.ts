/** A conversation that has a word of its own wherever a person can put one, and where it is stored. */
import { expect } from 'vitest';
import { getObject } from '../../lib/adapters/objects.ts';
import type { WorkspaceId } from '../../lib/core/ids.ts';
import { decompress } from '../../lib/storage/table/compressed-text.ts';
import type { AnyBody, Api } from './api.ts';
import { cloud } from './cloud.ts';
import { incompressible } from './incompressible.ts';
import { linkIn, mailTo } from './mail-links.ts';
import { itemsOf, objects } from './stored.ts';

export interface MarkedThread {
  readonly thread: string;
  /** Sent, received, answered and drafted. */
  readonly emails: readonly string[];
  readonly attachments: readonly string[];
  readonly links: { readonly open: string; readonly unsubscribe: string };
}

/**
 * A thread with sent and received mail, files, a draft, a canceled draft, labels, a claim, opens, and hidden text.
 *
 * @param of.person the address on their side
 */
export async function markedThread(
  client: Api,
  { from, person, word }: { readonly from: string; readonly person: string; readonly word: string },
): Promise<MarkedThread> {
  const mail = {
    from,
    to: `Name ${word} <${person}>`,
    subject: `Order ${word}`,
    html: `<p>${word} ${incompressible(6000)} <a href="https://shop.example/${word}">see</a></p>`,
    unsubscribe: true,
    headers: { 'X-Order': word },
    attachments: [{ filename: `${word}.txt`, content: Buffer.from(word).toString('base64') }],
  };
  const { body: sent } = await client.post('/emails', mail, { 'Idempotency-Key': `key-${word}` });
  expect(sent).toMatchObject({ status: 'queued' });
  await cloud().waitForQuiescence();
  const arrived = (await mailTo(person, from))[0];
  const open = linkIn(arrived?.html ?? '', '/t/o/');
  await fetch(open, { headers: { 'user-agent': `Mozilla/5.0 ${word}` } });
  await cloud().sendMail({
    from: `"Name ${word}" <${person}>`,
    to: from,
    subject: `Re: Order ${word}`,
    html: `<p>Where is it? ${word}</p><p style="display:none">hidden ${word}</p>`,
    messageId: `<${word}@person.example>`,
    inReplyTo: String(arrived?.headers['message-id']),
    references: [`<missing-${word}@person.example>`, String(arrived?.headers['message-id'])],
    attachments: [{ filename: `${word}.csv`, content: `a,b\n1,${word}` }],
  });
  await cloud().waitForQuiescence();
  const thread = String(sent.thread_id);
  const { body: answer } = await client.post(`/threads/${thread}/reply`, { text: `Soon, ${word}.` });
  const { body: draft } = await client.post(`/threads/${thread}/reply`, { text: word, draft: true });
  const { body: ended } = await client.post(`/threads/${thread}/reply`, { text: word, draft: true });
  await client.post(`/emails/${ended.id}/cancel`, {});
  await client.patch(`/threads/${thread}`, { labels: { add: ['vip'] } });
  await client.post(`/threads/${thread}/claim`, { owner: 'worker-7', ttl_seconds: 60 });
  await cloud().waitForQuiescence();
  // The event of mail with files waits for their texts.
  await cloud().advance(15);
  await cloud().waitForQuiescence();
  const { body: shown } = await client.get<AnyBody>(`/emails?thread_id=${thread}`);
  const ids = shown.data.map(({ id }) => String(id));
  const attachments = (await Promise.all(ids.map((id) => client.get<AnyBody>(`/emails/${id}`)))).flatMap(
    ({ body }) => (body.attachments as { id: string }[]).map(({ id }) => id),
  );
  return {
    thread,
    emails: [...new Set([...ids, sent.id, answer.id, draft.id, ended.id])],
    attachments,
    links: { open, unsubscribe: linkIn(arrived?.headers['list-unsubscribe'] ?? '', '/u/') },
  };
}

/** Everything that is stored of a workspace and in the buckets, in the queues and in the log: where it has one of the words. */
export async function findStored(workspaceId: WorkspaceId, words: readonly string[]): Promise<string[]> {
  const has = (text: string) => words.some((word) => text.toLowerCase().includes(word.toLowerCase()));
  const items = (await itemsOf(workspaceId)).flatMap((item) =>
    has(readable(item)) ? [`${item.pk} ${item.sk}`] : [],
  );
  const files = await Promise.all(
    (await objects()).map(async (path) => {
      const [bucket = '', ...key] = path.split('/');
      const content = await getObject({ bucket, key: key.join('/') }).catch(() => Buffer.from(''));
      return has(content.toString()) || has(path) ? [path] : [];
    }),
  );
  const queues = await cloud().control<Record<string, unknown>>('GET', '/queues');
  const messages = await Promise.all(
    Object.keys(queues).map(async (name) => {
      const held = await cloud().control('GET', `/queues/${name}/messages`);
      return has(JSON.stringify(held)) ? [`queue ${name}`] : [];
    }),
  );
  return [...items, ...files.flat(), ...messages.flat()].sort();
}

/** An item with its compressed attributes as text. */
function readable(item: object): string {
  return JSON.stringify(item, (_, value: unknown) => {
    if (value instanceof Set) return [...value];
    if (value instanceof Uint8Array) return decompressed(value);
    return value;
  });
}

function decompressed(bytes: Uint8Array): string {
  try {
    return decompress(bytes);
  } catch {
    return Buffer.from(bytes).toString();
  }
}

/** Runs what a deletion has begun to its end. */
export async function finishDeletion(): Promise<void> {
  for (let pass = 0; pass < 2; pass++) {
    await cloud().waitForQuiescence();
    await cloud().advance(901);
  }
  await cloud().waitForQuiescence();
}

/** The paths of the records of a thread, by id. */
export const pathsOf = ({ thread, emails, attachments }: MarkedThread): string[] => [
  `/threads/${thread}`,
  ...emails.flatMap((id) => [`/emails/${id}`, `/emails/${id}/engagements`]),
  ...attachments.flatMap((id) => [`/attachments/${id}`, `/attachments/${id}/text`]),
];

/** Everything that lists have. */
export async function listed(client: Api, endpointId: string): Promise<string> {
  const paths = [
    '/emails',
    '/emails?status=draft',
    '/threads',
    '/threads?label=vip',
    '/events',
    `/webhook-endpoints/${endpointId}/deliveries`,
  ];
  return JSON.stringify(await Promise.all(paths.map(async (path) => (await client.get(path)).body)));
}
