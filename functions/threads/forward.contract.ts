/** Contract of `POST /threads/{thread_id}/forward`. */
import * as z from 'zod';
import { limits } from '../../lib/core/limits.ts';
import { operation } from '../../lib/http/contract.ts';
import { messageFields, recipientsInput, senderInput } from '../../lib/http/presenters/outgoing.ts';
import { idSchema } from '../../lib/http/schemas.ts';
import { sending, sendingProblems } from '../../lib/http/send-operation.ts';

export const forwardThreadOperation = operation({
  id: 'threads.forward',
  method: 'POST',
  path: '/api/v2/threads/{thread_id}/forward',
  summary: 'Forward a thread',
  description:
    'Sends one email in a new thread, whose `forward_of` is this thread. The body is `note`, then every sent or received ' +
    'message, oldest first, with sender, date and the text its author wrote. `html` or `text` replace that body. The ' +
    "default `from` is the thread's mailbox.",
  ...sending,
  params: z.strictObject({ thread_id: idSchema('thr') }),
  query: z.strictObject({}),
  body: z
    .strictObject({
      ...messageFields,
      from: senderInput.optional(),
      to: recipientsInput,
      subject: messageFields.subject.optional(),
      note: z.string().max(limits.forwardNoteCharacters).optional(),
      include_attachments: z.boolean().default(true),
    })
    .meta({
      id: 'ForwardThread',
      examples: [{ to: 'sales@example.com', note: 'Can you take care of this?' }],
    }),
  problems: [...sendingProblems, 'thread_empty'],
});
