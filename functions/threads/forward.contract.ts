/** Contract of `POST /threads/{thread_id}/forward`. */
import * as z from 'zod';
import { operation } from '../../lib/http/contract.ts';
import {
  messageFields,
  noteInput,
  recipientsInput,
  senderInput,
  toText,
} from '../../lib/http/presenters/outgoing.ts';
import { idSchema } from '../../lib/http/schemas.ts';
import { sending, sendingProblems } from '../../lib/http/send-operation.ts';

export const forwardThreadOperation = operation({
  id: 'threads.forward',
  method: 'POST',
  path: '/api/v2/threads/{thread_id}/forward',
  summary: 'Forward a thread',
  description:
    'Sends one email in a new thread, whose `forward_of` is this thread, in the background as `POST /emails` does. ' +
    'The body is `note`, then every sent ' +
    'or received message, oldest first, with sender, date and the text its author wrote. `html` or `text` replace ' +
    'that body.',
  ...sending,
  params: z.strictObject({ thread_id: idSchema('thr') }),
  query: z.strictObject({}),
  body: z
    .strictObject({
      ...messageFields,
      html: messageFields.html.describe('Replaces the transcript of the thread; at most 2 MB in UTF-8.'),
      text: messageFields.text.describe('Replaces the transcript of the thread; at most 2 MB in UTF-8.'),
      from: senderInput
        .optional()
        .describe('A sender as of `POST /emails`. Default: the mailbox of the thread.'),
      to: recipientsInput.describe(toText),
      subject: messageFields.subject
        .optional()
        .describe("The subject line, without line breaks; default: `Fwd: ` and the thread's."),
      note: noteInput,
      include_attachments: z
        .boolean()
        .default(true)
        .describe('Whether the files of the thread are sent, too; with `attachments`, at most 20 in all.'),
    })
    .meta({
      description: 'The recipients of a forward, and what is sent with the thread.',
      examples: [{ to: 'sales@example.com', note: 'Can you take care of this?' }],
    }),
  problems: [...sendingProblems, 'thread_empty'],
});
