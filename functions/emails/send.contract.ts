/** Contract of `POST /emails`. */
import * as z from 'zod';
import { operation } from '../../lib/http/contract.ts';
import {
  bodyMissing,
  cancelOnReplyInput,
  fromText,
  hasBody,
  messageFields,
  recipientsInput,
  senderInput,
  textOrHtml,
  toText,
  withoutTime,
} from '../../lib/http/presenters/outgoing.ts';
import { besideOtherIssues, idSchema } from '../../lib/http/schemas.ts';
import { sending, sendingProblems } from '../../lib/http/send-operation.ts';

export const sendEmailOperation = operation({
  id: 'emails.send',
  method: 'POST',
  path: '/api/v2/emails',
  summary: 'Send an email',
  description:
    'Accepts an email and sends it in the background: the response has status `queued`, or `scheduled` with ' +
    '`scheduled_at`. Progress is sent as webhook events and listed in `events`. Give an `Idempotency-Key`, so that a ' +
    'repeated request does not send twice. The sender must be on a verified domain of the workspace, or be a ' +
    'connected mailbox.',
  ...sending,
  params: z.strictObject({}),
  query: z.strictObject({}),
  body: z
    .strictObject({
      from: senderInput.describe(fromText),
      to: recipientsInput.describe(toText),
      ...messageFields,
      thread_id: idSchema('thr')
        .optional()
        .describe('The thread that the email continues, in the Space of the sender; without it, a new one.'),
      cancel_on_reply: cancelOnReplyInput,
    })
    .refine(hasBody, bodyMissing)
    .refine(withoutTime.check, withoutTime.options)
    .refine(({ cancel_on_reply: isCanceled, thread_id: id }) => !isCanceled || id !== undefined, {
      message: 'needs thread_id',
      path: ['cancel_on_reply'],
      ...besideOtherIssues,
    })
    .meta(textOrHtml)
    .meta({
      description: 'An email to send; `html` or `text` is required.',
      examples: [
        {
          from: 'Support <support@acme.dev>',
          to: ['anna@example.com'],
          subject: 'Your order',
          text: 'It is on its way.',
        },
      ],
    }),
  problems: sendingProblems,
});
