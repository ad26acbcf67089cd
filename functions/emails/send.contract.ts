/** Contract of `POST /emails`. */
import * as z from 'zod';
import { operation } from '../../lib/http/contract.ts';
import {
  addressesInput,
  bodyMissing,
  hasBody,
  hasRecipient,
  messageFields,
  recipientMissing,
  senderInput,
} from '../../lib/http/presenters/outgoing.ts';
import { idSchema } from '../../lib/http/schemas.ts';
import { sending, sendingProblems } from '../../lib/http/send-operation.ts';

export const sendEmailOperation = operation({
  id: 'emails.send',
  method: 'POST',
  path: '/api/v2/emails',
  summary: 'Send an email',
  description:
    'Accepts the email and answers `queued`; what becomes of it comes as events and stands in `events`. The sender ' +
    'must be on a verified domain of the workspace. With `thread_id` the email continues that conversation. An ' +
    'address that appears twice is sent to once. The gateway itself refuses requests over about 6 MB with a bare 413.',
  ...sending,
  params: z.strictObject({}),
  query: z.strictObject({}),
  body: z
    .strictObject({
      from: senderInput,
      to: addressesInput,
      ...messageFields,
      thread_id: idSchema('thr').optional(),
    })
    .refine(hasBody, bodyMissing)
    .refine(hasRecipient, recipientMissing),
  problems: sendingProblems,
});
