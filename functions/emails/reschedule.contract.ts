/** Contract of `PATCH /emails/{email_id}`. */
import * as z from 'zod';
import { operation } from '../../lib/http/contract.ts';
import { emailSchema } from '../../lib/http/presenters/email.ts';
import { scheduledAtInput } from '../../lib/http/presenters/outgoing.ts';
import { idSchema } from '../../lib/http/schemas.ts';

export const rescheduleEmailOperation = operation({
  id: 'emails.reschedule',
  method: 'PATCH',
  path: '/api/v2/emails/{email_id}',
  summary: 'Reschedule an email',
  description:
    'Changes the time of an email that is still `scheduled`; any other is refused with `not_scheduled`.',
  scope: 'sending',
  budget: 'read',
  access: ['table:put', 'table:update', 'table:delete'],
  params: z.strictObject({ email_id: idSchema('eml') }),
  query: z.strictObject({}),
  body: z.strictObject({ scheduled_at: scheduledAtInput }).meta({
    description: 'The new time.',
    examples: [{ scheduled_at: '2026-02-01T09:00:00+01:00' }],
  }),
  responses: { 200: { description: 'The email with its new time.', body: emailSchema } },
  problems: ['not_scheduled'],
});
