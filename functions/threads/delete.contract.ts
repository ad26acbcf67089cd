/** Contract of `DELETE /threads/{thread_id}`. */
import * as z from 'zod';
import { operation } from '../../lib/http/contract.ts';
import { idSchema } from '../../lib/http/schemas.ts';

export const deleteThreadOperation = operation({
  id: 'threads.delete',
  method: 'DELETE',
  path: '/api/v2/threads/{thread_id}',
  summary: 'Delete a thread',
  description:
    'Deletes a thread for good, with all its emails and drafts, as the deletion of each of them does. It is refused with ' +
    '`email_in_progress` while one of its emails is `queued`, `scheduled` or `sending`. A later message of the ' +
    'conversation begins a new thread.',
  scope: 'full',
  budget: 'read',
  access: ['table:query', 'table:put', 'table:delete', 'table:write-many'],
  params: z.strictObject({ thread_id: idSchema('thr') }),
  query: z.strictObject({}),
  body: null,
  responses: { 204: { description: 'The thread is deleted.', body: null } },
  problems: ['invalid_thread_id', 'thread_not_found', 'email_in_progress'],
  timeoutSeconds: 29,
});
