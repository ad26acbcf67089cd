/** Contract of `POST /emails/send` of version 1. */
import * as z from 'zod';
import { limits } from '../../../lib/core/limits.ts';
import { operation } from '../../../lib/http/contract.ts';
import { messageFields, replyToField, toText } from '../../../lib/http/presenters/outgoing.ts';
import {
  messageIdInput,
  v1AddressesInput,
  v1BodyFields,
  v1FromInput,
  v1MessageFields,
  v1RecipientsInput,
} from '../../../lib/http/presenters/v1/outgoing.ts';
import { idSchema } from '../../../lib/http/schemas.ts';
import { v1Sending, v1SendingProblems } from '../../../lib/http/v1-send-operation.ts';

export const sendV1EmailOperation = operation({
  id: 'v1.emails.send',
  method: 'POST',
  path: '/api/v1/emails/send',
  summary: 'Send an email, or store a draft',
  description:
    'Accepts an email and sends it in the background; with `is_draft` it is stored instead. Give an ' +
    '`Idempotency-Key`, so that a repeated request does not send twice. The sender must be on a verified domain of ' +
    'the organization. With `threadId`, the email continues that thread; with `in_reply_to` or `references`, the ' +
    'thread of the emails that they name. An address that appears more than once receives the email once.',
  ...v1Sending,
  params: z.strictObject({}),
  query: z.strictObject({}),
  body: z
    .strictObject({
      to: v1RecipientsInput.describe(toText),
      from: v1FromInput,
      subject: messageFields.subject,
      ...v1BodyFields,
      ...v1MessageFields,
      reply_to: replyToField(v1AddressesInput),
      threadId: idSchema('thr', 'invalid_request')
        .optional()
        .describe(
          'The thread that the email continues; without it, that of `in_reply_to` or `references`, or a new one.',
        ),
      in_reply_to: messageIdInput
        .optional()
        .describe('Message-ID of the message that this one answers, with or without angle brackets.'),
      references: z
        .array(messageIdInput)
        .max(limits.v1References)
        .optional()
        .describe('Message-IDs of the messages that this one cites, oldest first.'),
    })
    .meta({
      description: 'An email to send, or to store as a draft.',
      examples: [
        {
          from: 'support@acme.dev',
          from_name: 'Support',
          to: 'anna@example.com',
          subject: 'Your order',
          html: '<p>It is on its way.</p>',
        },
      ],
    }),
  problems: [...v1SendingProblems, 'thread_not_found'],
});
