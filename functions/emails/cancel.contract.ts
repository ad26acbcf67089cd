/** Contract of `POST /emails/{email_id}/cancel`. */
import * as z from 'zod';
import { operation } from '../../lib/http/contract.ts';
import { emailSchema } from '../../lib/http/presenters/email.ts';
import { idSchema } from '../../lib/http/schemas.ts';

export const cancelEmailOperation = operation({
  id: 'emails.cancel',
  method: 'POST',
  path: '/api/v2/emails/{email_id}/cancel',
  summary: 'Cancel a scheduled email, or discard a draft',
  description:
    'Cancels an email that is still `scheduled`, or discards a draft; any other is refused with `not_scheduled`. A canceled email is not ' +
    'sent. It remains readable and cannot be scheduled again. A key of scope `draft` discards drafts only.',
  scope: 'draft',
  budget: 'read',
  access: ['table:put', 'table:update', 'table:delete'],
  params: z.strictObject({ email_id: idSchema('eml') }),
  query: z.strictObject({}),
  body: null,
  responses: { 200: { description: 'The canceled email.', body: emailSchema } },
  problems: ['not_scheduled'],
});
