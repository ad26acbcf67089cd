/** A conversation of two messages: an email that was sent, and a reply to it with a file. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FixtureContext, FixtureMail } from './operation-fixtures.ts';

/** Prose: it is compressed as well as the text of mail. */
const text5Kb = readFileSync(join(import.meta.dirname, '../../docs/concepts/webhooks.md'), 'utf8').slice(
  0,
  5124,
);

/** The body of a send of 5 KB to one recipient, the size that the benchmark has targets for. */
export function mailOf5Kb(from: string) {
  return { from, to: 'anna@example.test', subject: 'Your order', text: text5Kb };
}

/** A reply with a file that text is extracted from. */
export function replyTo(to: string, messageId?: string): FixtureMail {
  return {
    from: 'anna@example.test',
    to,
    subject: 'Re: Your order',
    text: 'Thank you!\n\nOn Monday, Support wrote:\n> It is on its way.\n',
    attachments: [{ filename: 'list.csv', content: Buffer.from('item,count\nbooks,2\npens,3\n') }],
    ...(messageId && { inReplyTo: messageId }),
  };
}

interface Conversation {
  /** The email that was sent. */
  readonly email: string;
  readonly thread: string;
  /** The file of the reply. */
  readonly attachment: string;
}

const conversations = new WeakMap<FixtureContext, Promise<Conversation>>();

/** The conversation of a workspace; created at the first call. */
export function conversationOf(context: FixtureContext): Promise<Conversation> {
  const conversation = conversations.get(context) ?? createConversation(context);
  conversations.set(context, conversation);
  return conversation;
}

async function createConversation(context: FixtureContext): Promise<Conversation> {
  const sent = await context.create('/emails', mailOf5Kb(context.address));
  await context.idle();
  const { message_id: messageId } = await context.get(`/emails/${sent.id}`);
  await context.receive(replyTo(context.address, messageId));
  await context.idle();
  const [reply] = (await context.get(`/emails?thread_id=${sent.thread_id}&direction=inbound`)).data;
  if (!reply) throw new Error('the reply did not join its thread');
  const { attachments } = await context.get(`/emails/${reply.id}`);
  return { email: sent.id, thread: sent.thread_id, attachment: attachments[0]?.id ?? '' };
}
