/** Finds conversations. */
import * as z from 'zod';
import type { Page, Thread } from '../../../typescript/src/index.ts';
import { limits } from '../limits.ts';
import { threadFacts } from '../mail-facts.ts';
import { reads, tool } from '../tool.ts';
import { cursor, label, limit, space, time } from './arguments.ts';

const words = z.string().trim().min(1).max(150);

export const findThreads = tool({
  name: 'find_threads',
  title: 'Find threads',
  description:
    'Finds conversations, the most recently active first. Without arguments: the newest ones. It searches subjects, mailboxes and ' +
    'participants, never the text of messages. Then read one with read_thread.',
  scope: 'read',
  annotations: reads,
  input: z.strictObject({
    text: words
      .optional()
      .describe('Words that must all occur in the subject, the mailbox or the participants.'),
    participant: words.optional().describe('An address, a name or a part of them: who takes part.'),
    mailbox: z.string().max(320).optional().describe('Only threads of this address of ours.'),
    labels: z.array(label).max(20).optional().describe('Only threads with all of these labels.'),
    read: z.boolean().optional().describe('false: only unread threads; true: only others.'),
    claimed: z
      .boolean()
      .optional()
      .describe('false: only threads that no worker has claimed; true: only others.'),
    since: time('Only threads with a message since then').optional(),
    space,
    limit: limit(50, 20),
    cursor,
  }),
  async run({ text, participant, since, limit: most, ...filters }, { parley, signal }) {
    const query = [text, participant].filter(Boolean).join(' ');
    const from = since === undefined ? Number.NEGATIVE_INFINITY : Date.parse(since);
    const isRecent = ({ last_message_at: at }: Thread) => Date.parse(at) >= from;
    const found: Thread[] = [];
    let next: string | null = filters.cursor ?? null;
    for (let pages = 0; pages < limits.pages && found.length < most; pages += 1) {
      const page: Page<Thread> = await parley.threads.list(
        {
          mailbox: filters.mailbox,
          space: filters.space,
          label: filters.labels,
          read: filters.read,
          claimed: filters.claimed,
          limit: most - found.length,
          ...(query !== '' && { query }),
          ...(next !== null && { cursor: next }),
        },
        { signal },
      );
      found.push(...page.items.filter(isRecent));
      // Behind an older thread all are older.
      next = page.items.every(isRecent) ? page.next_cursor : null;
      if (next === null) break;
    }
    return { found: found.length, threads: found.map((thread) => threadFacts(thread)), next_cursor: next };
  },
});
