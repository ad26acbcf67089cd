/** The API record of a thread (docs/concepts/threads.md). */
import * as z from 'zod';
import { isClaimedAt, type Thread } from '../../core/threads/thread.ts';
import { count, createdAt, idSchema, spaceId, text, timestampOf, timestampSchema } from '../schemas.ts';
import { addresses, threadFields } from './fields.ts';
import { claimSchema, presentClaim } from './thread-marks.ts';

/** Of a thread with and without its messages. */
export const threadRecord = {
  id: idSchema('thr'),
  space_id: spaceId,
  ...threadFields,
  participants: addresses(
    'Authors and To and Cc recipients of all messages, each once, at most the first 100.',
    ['support@acme.dev', 'anna@example.com'],
  ),
  message_count: count(1, 'Number of messages, scheduled and canceled ones included.'),
  last_message_at: timestampSchema.describe('When the newest message was accepted or received.'),
  created_at: createdAt,
  snippet: text('It is on its way.', 'The beginning of the newest message.'),
  labels: z
    .array(z.string())
    .meta({ examples: [['billing']], description: 'The labels of the thread, sorted; at most 20.' }),
  read: z
    .boolean()
    .meta({ examples: [true], description: 'false: a person wrote since the thread was marked as read.' }),
  claim: claimSchema
    .nullable()
    .meta({ examples: [null], description: 'Who works on the thread; null: nobody.' }),
};

export const threadSchema = z
  .strictObject(threadRecord)
  .meta({ id: 'Thread', description: 'A conversation, without its messages.' });

/** @param atMs at which its claim counts; Unix milliseconds */
export function presentThread(thread: Thread, atMs: number): z.input<typeof threadSchema> {
  return {
    id: thread.id,
    space_id: thread.spaceId,
    subject: thread.subject,
    mailbox: thread.mailbox,
    participants: thread.participants.map(({ address }) => address),
    message_count: thread.messageCount,
    last_message_at: timestampOf(thread.lastMessageAt),
    created_at: timestampOf(thread.createdAt),
    forward_of: thread.forwardOf,
    snippet: thread.snippet,
    labels: [...thread.labels],
    read: !thread.unread,
    claim: thread.claim && isClaimedAt(thread, atMs) ? presentClaim(thread.claim) : null,
  };
}
