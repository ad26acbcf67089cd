/** Contract of `DELETE /emails/{email_id}`. */
import * as z from 'zod';
import { operation } from '../../lib/http/contract.ts';
import { idSchema } from '../../lib/http/schemas.ts';

export const deleteEmailOperation = operation({
  id: 'emails.delete',
  method: 'DELETE',
  path: '/api/v2/emails/{email_id}',
  summary: 'Delete an email or a draft',
  description:
    'Deletes an email or a draft for good, with its content, files, raw message, and the events that show it. From the ' +
    'response on, its id and those of its attachments are unknown. The last email of a thread takes the thread with it. An ' +
    'email that is `queued`, `scheduled` or `sending` is refused with `email_in_progress`. A repeated copy of a received ' +
    'message does not come back for 30 days.',
  scope: 'full',
  budget: 'read',
  access: ['table:query', 'table:put', 'table:delete', 'table:write-many'],
  params: z.strictObject({ email_id: idSchema('eml') }),
  query: z.strictObject({}),
  body: null,
  responses: { 204: { description: 'The email is deleted.', body: null } },
  problems: ['email_in_progress'],
  timeoutSeconds: 29,
});
