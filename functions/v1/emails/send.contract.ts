/** Contract of `POST /emails/send` of version 1. */
import * as z from 'zod';
import { limits } from '../../../lib/core/limits.ts';
import { operation } from '../../../lib/http/contract.ts';
import { messageFields } from '../../../lib/http/presenters/outgoing.ts';
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
    'The sender must be on a verified domain of the organization. With `threadId`, the email continues that thread; with ' +
    '`in_reply_to` or `references`, the thread of the emails that they name. An address that appears more than once ' +
    'receives the email once.',
  ...v1Sending,
  params: z.strictObject({}),
  query: z.strictObject({}),
  body: z
    .strictObject({
      to: v1RecipientsInput,
      from: v1FromInput,
      subject: messageFields.subject,
      ...v1BodyFields,
      ...v1MessageFields,
      reply_to: v1AddressesInput.optional(),
      threadId: idSchema('thr', 'invalid_request').optional(),
      in_reply_to: messageIdInput.optional(),
      references: z.array(messageIdInput).max(limits.v1References).optional(),
    })
    .meta({
      id: 'V1SendEmail',
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
