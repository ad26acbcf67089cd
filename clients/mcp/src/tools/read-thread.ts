/** Reads a conversation, its newest messages first, or from its beginning; in a result the oldest message stands first. */
import * as z from 'zod';
import type { FullEmail, Parley, Thread } from '../../../typescript/src/index.ts';
import { limits } from '../limits.ts';
import { messageOfThread, threadFacts } from '../mail-facts.ts';
import type { Facts } from '../result.ts';
import { reads, tool } from '../tool.ts';
import { cursor, limit, threadId } from './arguments.ts';

interface Part {
  readonly thread: Thread;
  /** Oldest first. */
  readonly messages: readonly FullEmail[];
  /** Cursor of the messages before or after them; null: there are none. */
  readonly next: string | null;
}

interface Asked {
  readonly id: string;
  readonly limit: number;
  readonly cursor: string | undefined;
  readonly signal: AbortSignal;
}

/** Messages behind an email, or from the first one on. */
async function messagesBehind(parley: Parley, asked: Asked, email: string | undefined): Promise<Part> {
  const messages: FullEmail[] = [];
  let thread: Thread | undefined;
  let next = email ?? null;
  // A page ends early where its messages are large.
  do {
    const page = await parley.threads.retrieve(
      asked.id,
      { message_limit: asked.limit - messages.length, ...(next !== null && { message_cursor: next }) },
      { signal: asked.signal },
    );
    thread = page;
    messages.push(...page.messages);
    next = page.next_message_cursor;
  } while (next !== null && messages.length < asked.limit);
  return { thread, messages, next };
}

/** The newest messages, or those before the position of a cursor. */
async function newestMessages(parley: Parley, asked: Asked): Promise<Part> {
  const { id, limit: most, signal } = asked;
  if (asked.cursor === undefined) {
    const whole = await messagesBehind(parley, asked, undefined);
    if (whole.next === null) return whole;
  }
  const list = { thread_id: id, ...(asked.cursor !== undefined && { cursor: asked.cursor }) };
  const { items, next_cursor: older } = await parley.emails.list({ ...list, limit: most }, { signal });
  const before =
    older === null ? null : await parley.emails.list({ ...list, cursor: older, limit: 1 }, { signal });
  const wanted = { ...asked, limit: Math.max(items.length, 1) };
  const part = await messagesBehind(parley, wanted, before?.items[0]?.id);
  return { ...part, next: before?.items.length ? older : null };
}

/** As many messages as fit, each with an equal share, the ends of the result always. */
function shown(messages: readonly FullEmail[]): Facts[] {
  const share = Math.floor(limits.resultCharacters / Math.max(messages.length, 1));
  return messages.map((email) => messageOfThread(email, Math.min(limits.messageCharacters, share)));
}

export const readThread = tool({
  name: 'read_thread',
  title: 'Read thread',
  description:
    'Reads the messages of a conversation: what each author wrote, without quotes and signatures, with the checks of the sender and ' +
    'the files beside it. It begins with the newest messages; next_cursor leads to older ones. Scheduled messages are among them.',
  scope: 'read',
  annotations: reads,
  input: z.strictObject({
    thread_id: threadId,
    from: z
      .enum(['newest', 'oldest'])
      .default('newest')
      .describe('Where to begin; default newest. Messages of one result always stand in the order of time.'),
    limit: limit(30, 10),
    cursor,
  }),
  async run({ thread_id: id, from, limit: most, cursor: given }, { parley, signal }) {
    const asked = { id, limit: most, cursor: given, signal };
    const part =
      from === 'newest' ? await newestMessages(parley, asked) : await messagesBehind(parley, asked, given);
    return {
      ...threadFacts(part.thread, true),
      shown: part.messages.length,
      message_list: shown(part.messages),
      next_cursor: part.next,
      ...(part.next !== null && {
        next: `${from === 'newest' ? 'Older' : 'Later'} messages: call again with cursor and the same arguments.`,
      }),
    };
  },
});
