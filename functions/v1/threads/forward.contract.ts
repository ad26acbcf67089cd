/** Contract of `POST /threads/{threadId}/forward` of version 1. */
import * as z from 'zod';
import { limits } from '../../../lib/core/limits.ts';
import { operation } from '../../../lib/http/contract.ts';
import { v1FromInput, v1MessageFields, v1RecipientsInput } from '../../../lib/http/presenters/v1/outgoing.ts';
import { idSchema } from '../../../lib/http/schemas.ts';
import { v1Sending, v1SendingProblems } from '../../../lib/http/v1-send-operation.ts';

export const forwardV1ThreadOperation = operation({
  id: 'v1.threads.forward',
  method: 'POST',
  path: '/api/v1/threads/{threadId}/forward',
  summary: 'Forward a thread as a transcript',
  description:
    'Sends one email in a new thread: `note`, then every sent or received message, oldest first, with sender, date and the ' +
    "text its author wrote. The default `from` is the thread's address on your side.",
  ...v1Sending,
  params: z.strictObject({ threadId: idSchema('thr', 'thread_not_found') }),
  query: z.strictObject({}),
  body: z
    .strictObject({
      to: v1RecipientsInput,
      from: v1FromInput.optional(),
      note: z.string().max(limits.forwardNoteCharacters).optional(),
      includeAttachments: z
        .boolean()
        .default(true)
        .describe('Carries the files of the thread, beside `attachments`.'),
      ...v1MessageFields,
    })
    .meta({
      id: 'V1ForwardThread',
      examples: [{ to: 'sales@example.com', note: 'Can you take care of this?' }],
    }),
  problems: [...v1SendingProblems, 'thread_not_found', 'thread_empty'],
});
