/** Contract of `DELETE /threads/{thread_id}/claim`. */
import * as z from 'zod';
import { operation } from '../../lib/http/contract.ts';
import { claimOwner, workScope } from '../../lib/http/presenters/thread-marks.ts';
import { idSchema } from '../../lib/http/schemas.ts';

export const releaseThreadOperation = operation({
  id: 'threads.release',
  method: 'DELETE',
  path: '/api/v2/threads/{thread_id}/claim',
  summary: 'Release a thread',
  description:
    'Ends the claim on a thread. A thread without a claim is no error. With `owner`, the claim of another owner stays, ' +
    'and the answer is `thread_claimed`; without it, whoever has the claim loses it.',
  scope: workScope,
  budget: 'read',
  access: ['table:put', 'table:delete'],
  params: z.strictObject({ thread_id: idSchema('thr') }),
  query: z.strictObject({
    owner: claimOwner.optional().describe('Release only the claim of this owner.'),
  }),
  body: null,
  responses: { 204: { description: 'The thread has no claim, or not this one.', body: null } },
  problems: ['invalid_thread_id', 'thread_not_found', 'thread_claimed'],
});
