/** The API record of a thread (docs/concepts/threads.md). */
import * as z from 'zod';
import type { Thread } from '../../core/thread.ts';
import { idSchema, timestampSchema } from '../schemas.ts';
import { addressSchema, fullEmailSchema } from './email.ts';

const base = {
  id: idSchema('thr'),
  space_id: idSchema('spc').nullable(),
  subject: z.string(),
  mailbox: z.string().describe("The workspace's address in the conversation."),
  participants: z.array(addressSchema),
  message_count: z.int(),
  last_message_at: timestampSchema,
  created_at: timestampSchema,
  forward_of: idSchema('thr').nullable(),
  snippet: z.string(),
};

export const threadSchema = z.strictObject(base);

export const threadWithMessagesSchema = z.strictObject({
  ...base,
  messages: z.array(fullEmailSchema).describe('Oldest first.'),
  next_message_cursor: idSchema('eml').nullable().describe('The email id to continue after.'),
});

export function presentThread(thread: Thread): z.input<typeof threadSchema> {
  return {
    id: thread.id,
    space_id: thread.spaceId,
    subject: thread.subject,
    mailbox: thread.mailbox,
    participants: thread.participants.map(({ name, address }) => ({ name, address })),
    message_count: thread.messageCount,
    last_message_at: new Date(thread.lastMessageAt).toISOString(),
    created_at: new Date(thread.createdAt).toISOString(),
    forward_of: thread.forwardOf,
    snippet: thread.snippet,
  };
}
