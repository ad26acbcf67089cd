/** Contract of `POST /threads/{threadId}/forward` of version 1. */
import * as z from 'zod';
import { operation } from '../../../lib/http/contract.ts';
import { noteInput, toText } from '../../../lib/http/presenters/outgoing.ts';
import { v1FromInput, v1MessageFields, v1RecipientsInput } from '../../../lib/http/presenters/v1/outgoing.ts';
import { idSchema } from '../../../lib/http/schemas.ts';
import { v1Sending, v1SendingProblems } from '../../../lib/http/v1-send-operation.ts';

export const forwardV1ThreadOperation = operation({
  id: 'v1.threads.forward',
  method: 'POST',
  path: '/api/v1/threads/{threadId}/forward',
  summary: 'Forward a thread as a transcript',
  description:
    'Sends one email in a new thread, in the background; with `is_draft` it is stored instead. Give an ' +
    '`Idempotency-Key`, so that a repeated request does not send twice. The body is `note`, then every sent or ' +
    'received message, oldest first, with sender, date and the text its author wrote. The default `from` is the ' +
    "thread's address on your side.",
  ...v1Sending,
  params: z.strictObject({ threadId: idSchema('thr', 'thread_not_found') }),
  query: z.strictObject({}),
  body: z
    .strictObject({
      to: v1RecipientsInput.describe(toText),
      from: v1FromInput
        .optional()
        .describe('The sender: an address of a verified domain; default: the mailbox of the thread.'),
      note: noteInput,
      includeAttachments: z
        .boolean()
        .default(true)
        .describe('Whether the files of the thread are sent, too; with `attachments`, at most 20 in all.'),
      ...v1MessageFields,
    })
    .meta({
      description: 'The recipients of a forward, and what is sent with the thread.',
      examples: [{ to: 'sales@example.com', note: 'Can you take care of this?' }],
    }),
  problems: [...v1SendingProblems, 'thread_not_found', 'thread_empty'],
});
