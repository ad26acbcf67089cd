/** The TypeScript library against the local cloud: lost answers, files of every size, lists, problems, downloads. */
import { describe, expect, it } from 'vitest';
import {
  ForbiddenError,
  InvalidRequestError,
  ThreadNotFoundError,
} from '../../clients/typescript/src/index.ts';
import { api } from '../support/api.ts';
import { cloud } from '../support/cloud.ts';
import { incompressible } from '../support/incompressible.ts';
import { type TestWorkspace, workspace } from '../support/workspace.ts';
import { cloudClient } from './support/cloud-client.ts';
import { type Loss, lossyProxy } from './support/lossy-proxy.ts';
import { rejection } from './support/offline-client.ts';

const megabyte = 1024 * 1024;
const mailOf = (ours: TestWorkspace) => ({
  from: `support@${ours.providedDomain}`,
  to: `anna-${ours.slug}@example.test`,
  subject: 'Your order',
  text: 'It is on its way.',
});

/** Emails of the workspace, and mails that SES took for the address. */
async function counts(ours: TestWorkspace): Promise<{ emails: number; mails: number }> {
  await cloud().waitForQuiescence();
  const { body } = await api(ours).get('/emails');
  const mails = await cloud().sentTo(mailOf(ours).to);
  return { emails: body.data.length, mails: mails.length };
}

const losses: readonly Loss[][] = [
  ['lose-request'],
  ['lose-answer'],
  ['cut-answer'],
  ['cut-json'],
  ['gateway'],
  ['lose-answer', 'cut-answer', 'lose-request'],
  ['gateway', 'lose-answer', 'cut-json'],
];

describe('a send whose answers are lost', () => {
  it.each(losses.map((list) => [list.join(', '), list] as const))('is sent once: %s', async (_, list) => {
    const ours = await workspace();
    const proxy = await lossyProxy(cloud().baseUrl, list);
    const parley = cloudClient(ours, { baseUrl: proxy.baseUrl });
    const email = await parley.emails.send(mailOf(ours));
    expect(email.idempotency_key).toMatch(/^[0-9a-f-]{36}$/);
    expect(proxy.requests).toHaveLength(list.length + 1);
    expect(await counts(ours)).toEqual({ emails: 1, mails: 1 });
  });

  it('is sent once or not at all when every answer is lost', async () => {
    const ours = await workspace();
    const proxy = await lossyProxy(cloud().baseUrl, Array(10).fill('lose-answer'));
    const parley = cloudClient(ours, { baseUrl: proxy.baseUrl });
    expect(await rejection(parley.emails.send(mailOf(ours)))).toMatchObject({ code: 'connection_error' });
    expect(proxy.requests).toHaveLength(4);
    expect(await counts(ours)).toEqual({ emails: 1, mails: 1 });
  });

  it('is sent twice without a key only by a caller who repeats it', async () => {
    const ours = await workspace();
    const proxy = await lossyProxy(cloud().baseUrl, ['lose-answer']);
    const parley = cloudClient(ours, { baseUrl: proxy.baseUrl });
    const once = parley.emails.send(mailOf(ours), { idempotencyKey: null });
    expect(await rejection(once)).toMatchObject({ code: 'connection_error' });
    expect(proxy.requests).toHaveLength(1);
  });

  it('is one reply and one forward, too', async () => {
    const ours = await workspace();
    const { thread_id: thread } = await cloudClient(ours).emails.send(mailOf(ours));
    await cloud().waitForQuiescence();
    const proxy = await lossyProxy(cloud().baseUrl, ['lose-answer', 'pass', 'cut-answer']);
    const parley = cloudClient(ours, { baseUrl: proxy.baseUrl });
    const reply = await parley.threads.reply(thread, { text: 'More.' });
    expect(reply.thread_id).toBe(thread);
    await parley.threads.forward(thread, { to: mailOf(ours).to, note: 'See below.' });
    expect(await counts(ours)).toEqual({ emails: 3, mails: 3 });
  });
});

describe('a file', () => {
  it('of a few bytes goes within the request, one over the limit is uploaded, both arrive whole', async () => {
    const ours = await workspace();
    const parley = cloudClient(ours);
    const [small, large] = [Buffer.from('a,b\n1,2\n'), Buffer.from(incompressible(7 * megabyte))];
    const { id } = await parley.emails.send({
      ...mailOf(ours),
      attachments: [
        { filename: 'small.csv', content: small },
        { filename: 'große Datei.bin', content: new Blob([new Uint8Array(large)]).stream() },
      ],
    });
    const { attachments } = await parley.emails.retrieve(id);
    expect(attachments).toMatchObject([
      { filename: 'small.csv', content_type: 'text/csv', size: small.length },
      { filename: 'große Datei.bin', size: large.length },
    ]);
    for (const [index, expected] of [small, large].entries()) {
      const file = await parley.attachments.download(attachments[index]?.id ?? '');
      expect(Buffer.from(await file.arrayBuffer()).equals(expected)).toBe(true);
    }
    const headers = await parley.attachments.inspect(attachments[1]?.id ?? '');
    expect(headers.get('content-length')).toBe(String(large.length));
  });

  it('whose upload is answered by nobody at first is uploaded again, and the email is sent once', async () => {
    const ours = await workspace();
    const proxy = await lossyProxy(cloud().baseUrl, ['lose-answer', 'pass', 'lose-answer']);
    const parley = cloudClient(ours, { baseUrl: proxy.baseUrl });
    const attachments = [{ filename: 'a.bin', content: Buffer.from(incompressible(5 * megabyte)) }];
    await parley.emails.send({ ...mailOf(ours), attachments });
    expect(proxy.requests.map((request) => request.split('/').at(-1))).toEqual([
      'attachments',
      'attachments',
      'emails',
      'emails',
    ]);
    expect(await counts(ours)).toEqual({ emails: 1, mails: 1 });
  });

  it('that was uploaded before is sent by several emails', async () => {
    const ours = await workspace();
    const parley = cloudClient(ours);
    const file = await parley.attachments.upload(new File([new Uint8Array(10)], 'a.pdf'));
    for (const subject of ['One', 'Two']) {
      const { id } = await parley.emails.send({ ...mailOf(ours), subject, attachments: [file] });
      const { attachments } = await parley.emails.retrieve(id);
      expect(attachments).toMatchObject([{ filename: 'a.pdf', content_type: 'application/pdf', size: 10 }]);
    }
  });
});

describe('an answer', () => {
  it('that is a problem is an error of its class', async () => {
    const ours = await workspace();
    const parley = cloudClient(ours);
    const missing = `thr_${'0'.repeat(32)}`;
    expect(await rejection(parley.threads.reply(missing, { text: 'x' }))).toBeInstanceOf(ThreadNotFoundError);
    const invalid = await rejection(
      parley.emails.send({ ...mailOf(ours), to: [], subject: 'x'.repeat(999) }),
    );
    expect(invalid).toBeInstanceOf(InvalidRequestError);
    expect(invalid).toMatchObject({
      issues: expect.arrayContaining([expect.objectContaining({ path: 'subject' })]),
      requestId: expect.any(String),
      request: 'POST /emails',
    });
    const reader = cloudClient({ ...ours, key: await ours.keyOf('read') });
    expect(await rejection(reader.emails.send(mailOf(ours)))).toBeInstanceOf(ForbiddenError);
  });

  it('that is a list is read over all pages', async () => {
    const ours = await workspace();
    const parley = cloudClient(ours);
    for (const name of ['a', 'b', 'c']) await parley.spaces.create({ name });
    const names: string[] = [];
    for await (const { name } of parley.spaces.list({ limit: 1 })) names.push(name);
    expect(names).toEqual(['a', 'b', 'c']);
    const page = await parley.spaces.list({ limit: 2 });
    expect(page.items.map(({ name }) => name)).toEqual(['a', 'b']);
    expect((await page.nextPage())?.items.map(({ name }) => name)).toEqual(['c']);
  });

  it('to a deletion whose answer was lost is none', async () => {
    const ours = await workspace();
    const { id } = await cloudClient(ours).spaces.create({ name: 'a' });
    const proxy = await lossyProxy(cloud().baseUrl, ['lose-answer']);
    await cloudClient(ours, { baseUrl: proxy.baseUrl }).spaces.delete(id);
    expect(proxy.requests).toHaveLength(2);
    expect((await cloudClient(ours).spaces.list()).items).toEqual([]);
  });

  it('arrives while the client is shown nothing of the key', async () => {
    const ours = await workspace();
    const seen: unknown[] = [];
    await cloudClient(ours, { onAttempt: (attempt) => seen.push(attempt) }).domains.list();
    expect(seen).toMatchObject([{ method: 'GET', path: '/domains', status: 200, attempt: 1 }]);
    expect(JSON.stringify(seen)).not.toContain(ours.key);
  });
});
