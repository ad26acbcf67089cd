/** The API record of a thread (docs/concepts/threads.md). */
import * as z from 'zod';
import type { Thread } from '../../core/threads/thread.ts';
import { idSchema, text, timestampOf, timestampSchema } from '../schemas.ts';
import { addressesSchema } from './email.ts';
import { fullEmailSchema } from './full-email.ts';

const base = {
  id: idSchema('thr'),
  space_id: idSchema('spc')
    .nullable()
    .meta({ examples: [null] }),
  subject: text('Your order'),
  mailbox: text('support@acme.dev', "The workspace's address in the conversation."),
  participants: addressesSchema,
  message_count: z.int().meta({ examples: [1] }),
  last_message_at: timestampSchema,
  created_at: timestampSchema,
  forward_of: idSchema('thr')
    .nullable()
    .meta({ examples: [null], description: 'The thread that this thread forwards.' }),
  snippet: text('It is on its way.', 'The beginning of the newest message.'),
};

export const threadSchema = z.strictObject(base).meta({ id: 'Thread' });

export const threadWithMessagesSchema = z
  .strictObject({
    ...base,
    messages: z.array(fullEmailSchema).describe('Oldest first.'),
    next_message_cursor: idSchema('eml')
      .nullable()
      .meta({ examples: [null], description: '`message_cursor` of the next page; null on the last page.' }),
  })
  .meta({ id: 'ThreadWithMessages' });

export function presentThread(thread: Thread): z.input<typeof threadSchema> {
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
  };
}
