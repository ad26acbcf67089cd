/** Threads as they grow: long ones, busy ones, and those whose messages come in the wrong order. */
import { describe, expect, it } from 'vitest';
import { limits } from '../../lib/core/limits.ts';
import { type Api, api } from '../support/api.ts';
import { cloud, type MailIn } from '../support/cloud.ts';
import { pagesOf, storedThread } from '../support/stored-thread.ts';
import { type TestWorkspace, workspace } from '../support/workspace.ts';

interface Message {
  readonly id: string;
  readonly from: { readonly address: string };
  readonly text: string | null;
}

interface ThreadBody {
  readonly id: string;
  readonly subject: string;
  readonly message_count: number;
  readonly last_message_at: string;
  readonly snippet: string;
  readonly participants: readonly { readonly address: string }[];
  readonly messages: readonly (Message & { readonly created_at: string; readonly snippet: string })[];
  readonly next_message_cursor: string | null;
}

/** The threads of a workspace that mail came into, all of them. */
async function threadsOf(client: Api): Promise<ThreadBody[]> {
  const { body } = await client.get('/threads');
  const threads = body.data.map(({ id }) => client.get<ThreadBody>(`/threads/${id}`));
  return (await Promise.all(threads)).map((answer) => answer.body);
}

describe('a long thread', () => {
  // One of 2,000 takes eight seconds: `threads.long.test.ts`.
  it('of 300 messages is read page by page, each message once and in order', async () => {
    const ours = await workspace();
    const texts = Array.from({ length: 300 }, (_, at) => `Message ${at}`);
    const { threadId, ids } = await storedThread(ours, texts);
    const pages = await pagesOf(api(ours), threadId, 40);
    expect(pages.map(({ length }) => length)).toEqual([40, 40, 40, 40, 40, 40, 40, 20]);
    expect(pages.flat().map(({ id }) => id)).toEqual(ids);
    const { body } = await api(ours).get<ThreadBody>(`/threads/${threadId}`);
    expect([body.message_count, body.snippet]).toEqual([300, 'Message 299']);
  });

  it('of large messages is cut at 4 MB a page, and never short of a message', async () => {
    const ours = await workspace();
    const text = 'x'.repeat(1_500_000);
    const { threadId, ids } = await storedThread(ours, [text, text, text, 'short', 'x'.repeat(4_500_000)]);
    const pages = await pagesOf(api(ours), threadId, 40);
    expect(pages.length).toBeGreaterThan(1);
    expect(pages.flat().map(({ id }) => id)).toEqual(ids);
    for (const page of pages.filter(({ length }) => length > 1)) {
      expect(Buffer.byteLength(JSON.stringify(page))).toBeLessThanOrEqual(limits.pageBytes);
    }
  });
});

describe('a busy thread', () => {
  it('counts five answers that come at once, with everybody who wrote and the last words', async () => {
    const ours = await workspace();
    const client = api(ours);
    const from = `support@${ours.providedDomain}`;
    const people = ['ann', 'bo', 'cy', 'dee', 'eli'].map((name) => `${name}@example.test`);
    const sent = await client.post('/emails', { from, to: people, subject: 'Party', text: 'Who comes?' });
    await cloud().settle();
    await Promise.all(
      people.map((person) =>
        cloud().sendMail({
          from: person,
          to: from,
          subject: 'Re: Party',
          text: `Me! ${person}`,
          references: `<${sent.body.id}@${ours.providedDomain}>`,
        }),
      ),
    );
    await cloud().settle();
    const [thread, ...others] = await threadsOf(client);
    expect(others).toEqual([]);
    expect(thread).toMatchObject({ id: sent.body.thread_id, message_count: 6, subject: 'Party' });
    const messages = thread?.messages ?? [];
    expect(messages.map((message) => message.from.address).sort()).toEqual([...people, from].sort());
    expect(thread?.participants.map(({ address }) => address).sort()).toEqual([...people, from].sort());
    // Whichever was the last to join: its words and no older time.
    expect(messages.map(({ snippet }) => snippet)).toContain(thread?.snippet);
    expect(thread?.snippet).toMatch(/^Me!/);
    const times = messages.map(({ created_at }) => created_at).sort();
    expect(Date.parse(thread?.last_message_at ?? '')).toBeGreaterThanOrEqual(Date.parse(times.at(-1) ?? ''));
  });
});

describe('mail in the wrong order', () => {
  /** A mail of one person to another with us among the recipients. */
  const mail = (ours: TestWorkspace, from: string, to: string, given: Partial<MailIn>): MailIn => {
    const us = `support@${ours.providedDomain}`;
    const { messageId, inReplyTo, references, subject = 'Order', text = 'Text' } = given;
    const lines = [
      `From: ${from}`,
      `To: ${to}, ${us}`,
      `Subject: ${subject}`,
      ...(messageId ? [`Message-ID: ${messageId}`] : []),
      ...(inReplyTo ? [`In-Reply-To: ${inReplyTo}`] : []),
      ...(references ? [`References: ${references}`] : []),
    ];
    return { from, to: us, raw: [...lines, '', text, ''].join('\r\n') };
  };
  const ann = 'ann@buyer.test';
  const bo = 'bo@buyer.test';

  it('lets the answered message join its answer, and a second answer to it too', async () => {
    const ours = await workspace();
    const asked = `<asked-${ours.slug}@buyer.test>`;
    const answered = `<answered-${ours.slug}@buyer.test>`;
    await cloud().sendMail(mail(ours, bo, ann, { messageId: answered, inReplyTo: asked, subject: 'Sure' }));
    await cloud().settle();
    await cloud().sendMail(mail(ours, bo, ann, { inReplyTo: asked, subject: 'One more thing' }));
    await cloud().settle();
    await cloud().sendMail(mail(ours, ann, bo, { messageId: asked, subject: 'A question' }));
    await cloud().settle();
    const threads = await threadsOf(api(ours));
    expect(threads.map(({ message_count }) => message_count)).toEqual([3]);

    // From now on the id is that of a message, and who cites it needs nobody in common.
    await cloud().sendMail(mail(ours, 'cy@other.test', 'dee@other.test', { inReplyTo: asked }));
    await cloud().settle();
    expect((await threadsOf(api(ours))).map(({ message_count }) => message_count)).toEqual([4]);
  });

  it('makes one thread of two answers that come at once before the message they answer', async () => {
    const ours = await workspace();
    const asked = `<asked-${ours.slug}@buyer.test>`;
    await Promise.all([
      cloud().sendMail(mail(ours, bo, ann, { inReplyTo: asked, subject: 'Yes' })),
      cloud().sendMail(mail(ours, ann, bo, { inReplyTo: asked, subject: 'No' })),
      cloud().sendMail(mail(ours, ann, bo, { messageId: asked, subject: 'A question' })),
    ]);
    await cloud().settle();
    expect((await threadsOf(api(ours))).map(({ message_count }) => message_count)).toEqual([3]);
  });

  it('draws nobody into the thread of a stranger who cited the id first', async () => {
    const ours = await workspace();
    const asked = `<asked-${ours.slug}@buyer.test>`;
    await cloud().sendMail(mail(ours, 'eve@evil.test', 'mal@evil.test', { inReplyTo: asked }));
    await cloud().settle();
    await cloud().sendMail(mail(ours, ann, bo, { messageId: asked }));
    await cloud().settle();
    await cloud().sendMail(mail(ours, bo, ann, { inReplyTo: asked }));
    await cloud().settle();
    const threads = await threadsOf(api(ours));
    const authors = threads.map(({ messages }) => messages.map(({ from }) => from.address));
    expect(authors).toEqual([[ann, bo], ['eve@evil.test']]);
  });
});
