/** The API record of a thread with its messages (docs/concepts/threads.md). */
import * as z from 'zod';
import { idSchema } from '../schemas.ts';
import { fullEmailSchema } from './full-email.ts';
import { threadRecord } from './thread.ts';

export const threadWithMessagesSchema = z
  .strictObject({
    ...threadRecord,
    messages: z
      .array(fullEmailSchema)
      .describe('The messages of the page, oldest first; scheduled and canceled ones included.'),
    next_message_cursor: idSchema('eml')
      .nullable()
      .meta({
        examples: [null],
        description: 'Give it as `message_cursor` to get the next page; null on the last page.',
      }),
  })
  .meta({ id: 'ThreadWithMessages', description: 'A conversation with a page of its messages.' });
