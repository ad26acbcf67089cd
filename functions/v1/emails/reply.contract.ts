/** Contract of `POST /emails/{emailId}/reply` of version 1. */
import * as z from 'zod';
import { operation } from '../../../lib/http/contract.ts';
import { messageFields, replyAllText, toText } from '../../../lib/http/presenters/outgoing.ts';
import {
  v1BodyFields,
  v1FromInput,
  v1MessageFields,
  v1RecipientsInput,
} from '../../../lib/http/presenters/v1/outgoing.ts';
import { idSchema } from '../../../lib/http/schemas.ts';
import { v1Sending, v1SendingProblems } from '../../../lib/http/v1-send-operation.ts';

export const replyToV1EmailOperation = operation({
  id: 'v1.emails.reply',
  operationId: 'replyToEmail',
  method: 'POST',
  path: '/api/v1/emails/{emailId}/reply',
  summary: 'Reply to an email',
  description:
    'Replies to the email in its thread, in the background; with `is_draft` the reply is stored instead. Give an ' +
    '`Idempotency-Key`, so that a repeated request does not send twice. The default `to` of a received email is its ' +
    'author, that of a sent one its To; `reply_all` adds its other To and Cc addresses. Addresses of the workspace ' +
    'are never default recipients; a bounce, mail that failed a check and mail that names nobody else need `to`. The ' +
    'default `subject` is that of the thread with one `Re: `.',
  ...v1Sending,
  params: z.strictObject({ emailId: idSchema('eml') }),
  query: z.strictObject({}),
  body: z
    .strictObject({
      from: v1FromInput,
      ...v1BodyFields,
      to: v1RecipientsInput
        .optional()
        .describe(`${toText} Default: the author of a received email, the To of a sent one.`),
      subject: messageFields.subject
        .optional()
        .describe("The subject line, without line breaks; default: the thread's with one `Re: `."),
      reply_all: z.boolean().default(false).describe(replyAllText),
      ...v1MessageFields,
    })
    .meta({
      description: 'A reply to send, or to store as a draft.',
      examples: [{ from: 'support@acme.dev', html: '<p>You are welcome.</p>' }],
    }),
  problems: [...v1SendingProblems, 'thread_empty'],
});
