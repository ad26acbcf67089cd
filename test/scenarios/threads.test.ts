/** Concurrent answers, and messages that arrive before the one they answer. */
import { describe, expect, it } from 'vitest';
import { type Api, api } from '../support/api.ts';
import { cloud, type MailIn } from '../support/cloud.ts';
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
  readonly participants: readonly string[];
  readonly messages: readonly (Message & { readonly created_at: string; readonly snippet: string })[];
  readonly next_message_cursor: string | null;
}

/** All threads of a workspace, with their messages. */
async function threadsOf(client: Api): Promise<ThreadBody[]> {
  const { body } = await client.get('/threads');
  const threads = body.data.map(({ id }) => client.get<ThreadBody>(`/threads/${id}`));
  return (await Promise.all(threads)).map((answer) => answer.body);
}

describe('a busy thread', () => {
  it('has all counts, participants and the last snippet when five answers arrive at once', async () => {
    const ours = await workspace();
    const client = api(ours);
    const from = `support@${ours.providedDomain}`;
    const people = ['ann', 'bo', 'cy', 'dee', 'eli'].map((name) => `${name}@example.test`);
    const sent = await client.post('/emails', { from, to: people, subject: 'Party', text: 'Who comes?' });
    await cloud().waitForQuiescence();
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
    await cloud().waitForQuiescence();
    const [thread, ...others] = await threadsOf(client);
    expect(others).toEqual([]);
    expect(thread).toMatchObject({ id: sent.body.thread_id, message_count: 6, subject: 'Party' });
    const messages = thread?.messages ?? [];
    expect(messages.map((message) => message.from.address).sort()).toEqual([...people, from].sort());
    expect([...(thread?.participants ?? [])].sort()).toEqual([...people, from].sort());
    // Any of them may have joined last.
    expect(messages.map(({ snippet }) => snippet)).toContain(thread?.snippet);
    expect(thread?.snippet).toMatch(/^Me!/);
    const times = messages.map(({ created_at }) => created_at).sort();
    expect(Date.parse(thread?.last_message_at ?? '')).toBeGreaterThanOrEqual(Date.parse(times.at(-1) ?? ''));
  });
});

describe('mail that arrives out of order', () => {
  /** A mail from one person to another, with us as a recipient. */
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

  it('joins one thread when the answers arrive before their message', async () => {
    const ours = await workspace();
    const asked = `<asked-${ours.slug}@buyer.test>`;
    const answered = `<answered-${ours.slug}@buyer.test>`;
    await cloud().sendMail(mail(ours, bo, ann, { messageId: answered, inReplyTo: asked, subject: 'Sure' }));
    await cloud().waitForQuiescence();
    await cloud().sendMail(mail(ours, bo, ann, { inReplyTo: asked, subject: 'One more thing' }));
    await cloud().waitForQuiescence();
    await cloud().sendMail(mail(ours, ann, bo, { messageId: asked, subject: 'A question' }));
    await cloud().waitForQuiescence();
    const threads = await threadsOf(api(ours));
    expect(threads.map(({ message_count }) => message_count)).toEqual([3]);

    // The id is now that of a message: citing it needs no common participant.
    await cloud().sendMail(mail(ours, 'cy@other.test', 'dee@other.test', { inReplyTo: asked }));
    await cloud().waitForQuiescence();
    expect((await threadsOf(api(ours))).map(({ message_count }) => message_count)).toEqual([4]);
  });

  it('makes one thread when two answers and their message arrive at once', async () => {
    const ours = await workspace();
    const asked = `<asked-${ours.slug}@buyer.test>`;
    await Promise.all([
      cloud().sendMail(mail(ours, bo, ann, { inReplyTo: asked, subject: 'Yes' })),
      cloud().sendMail(mail(ours, ann, bo, { inReplyTo: asked, subject: 'No' })),
      cloud().sendMail(mail(ours, ann, bo, { messageId: asked, subject: 'A question' })),
    ]);
    await cloud().waitForQuiescence();
    expect((await threadsOf(api(ours))).map(({ message_count }) => message_count)).toEqual([3]);
  });

  it('stays out of the thread of a stranger who cited its id first', async () => {
    const ours = await workspace();
    const asked = `<asked-${ours.slug}@buyer.test>`;
    await cloud().sendMail(mail(ours, 'eve@evil.test', 'mal@evil.test', { inReplyTo: asked }));
    await cloud().waitForQuiescence();
    await cloud().sendMail(mail(ours, ann, bo, { messageId: asked }));
    await cloud().waitForQuiescence();
    await cloud().sendMail(mail(ours, bo, ann, { inReplyTo: asked }));
    await cloud().waitForQuiescence();
    const threads = await threadsOf(api(ours));
    const authors = threads.map(({ messages }) => messages.map(({ from }) => from.address));
    expect(authors).toEqual([[ann, bo], ['eve@evil.test']]);
  });
});

describe('a message to several addresses of one space', () => {
  const ours = async () => {
    const own = await workspace();
    const client = api(own);
    const address = (name: string) => `${name}@${own.providedDomain}`;
    const messageId = `<copied-${own.slug}@buyer.test>`;
    const copy = (...to: string[]): MailIn => ({
      from: 'ann@buyer.test',
      to: to.map(address),
      raw: [
        'From: ann@buyer.test',
        `To: ${address('sales')}, ${address('support')}`,
        'Subject: Order',
        `Message-ID: ${messageId}`,
        'Date: Mon, 02 Nov 2026 10:00:00 +0000',
        '',
        'Where is it?',
        '',
      ].join('\r\n'),
    });
    const deliver = async (mail: MailIn) => {
      await cloud().sendMail(mail);
      await cloud().waitForQuiescence();
    };
    const listed = async (name: string) => {
      const { body } = await client.get(`/threads?mailbox=${encodeURIComponent(address(name))}`);
      return body.data.map((thread) => [thread.id, thread.message_count]);
    };
    return { client, address, copy, deliver, listed, messageId };
  };

  it('is one email, listed under each of them, when it arrives once', async () => {
    const { client, copy, deliver, listed } = await ours();
    await deliver(copy('sales', 'support'));
    const { body: emails } = await client.get('/emails');
    const [email, ...others] = emails.data;
    expect(others).toEqual([]);
    for (const name of ['sales', 'support']) expect(await listed(name)).toEqual([[email?.thread_id, 1]]);
    expect(await listed('billing')).toEqual([]);
  });

  it('is one email, listed under each of them, when copies arrive apart or at once', async () => {
    const { client, copy, deliver, listed } = await ours();
    await deliver(copy('sales'));
    await Promise.all(['support', 'billing', 'sales', 'support'].map((name) => cloud().sendMail(copy(name))));
    await cloud().waitForQuiescence();
    const { body } = await client.get('/emails');
    expect(body.data).toHaveLength(1);
    const thread = [body.data[0]?.thread_id, 1];
    for (const name of ['sales', 'support', 'billing']) expect(await listed(name)).toEqual([thread]);
    const { body: threads } = await client.get('/threads');
    expect(threads.data).toMatchObject([{ mailbox: expect.stringMatching(/^sales@/), message_count: 1 }]);
    const { body: found } = await client.get('/threads?query=billing');
    expect(found.data).toHaveLength(1);
  });

  it('stays in one thread and in the order of activity under each of them when answers follow', async () => {
    const { client, copy, deliver, listed, address, messageId } = await ours();
    await deliver(copy('sales', 'support'));
    await deliver({ from: 'bo@buyer.test', to: address('support'), subject: 'Other', text: 'Hello' });
    const answer = { from: 'ann@buyer.test', text: 'Any news?' };
    await deliver({ ...answer, to: address('support'), subject: 'RE: [EXTERNAL] order' });
    await deliver({ ...answer, to: address('help'), subject: 'Else', inReplyTo: messageId.toUpperCase() });
    const { body } = await client.get('/threads');
    const thread = [body.data[0]?.id, 3];
    expect(body.data).toHaveLength(2);
    for (const name of ['sales', 'help']) expect(await listed(name)).toEqual([thread]);
    expect(await listed('support')).toEqual([thread, [body.data[1]?.id, 1]]);
    const { body: reply } = await client.post(`/threads/${thread[0]}/reply`, {
      text: 'Soon',
      reply_all: true,
    });
    expect(reply.to).toEqual(['ann@buyer.test']);
  });
});
