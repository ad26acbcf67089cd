/** Contract of `POST /threads/{thread_id}/claim`. */
import * as z from 'zod';
import { operation } from '../../lib/http/contract.ts';
import { claimOwner, claimSchema, workScope } from '../../lib/http/presenters/thread-marks.ts';
import { idSchema } from '../../lib/http/schemas.ts';

export const claimThreadOperation = operation({
  id: 'threads.claim',
  method: 'POST',
  path: '/api/v2/threads/{thread_id}/claim',
  summary: 'Claim a thread',
  description:
    'Claims a thread for one worker until the claim expires. The same owner renews its claim; where another owner has one, ' +
    'the answer is `thread_claimed` with its `owner` and `expires_at`. A reply with `claim_owner` is accepted only ' +
    'while that owner has the claim. Read the thread after the claim: the owner before may have answered it.',
  scope: workScope,
  budget: 'read',
  access: ['table:put', 'table:delete'],
  params: z.strictObject({ thread_id: idSchema('thr') }),
  query: z.strictObject({}),
  body: z
    .strictObject({
      owner: claimOwner.describe('Names the worker, each by another name; 1 to 200 characters.'),
      ttl_seconds: z
        .int()
        .min(10)
        .max(3600)
        .describe('Seconds from now until the claim expires, 10 to 3600.'),
    })
    .meta({
      description: 'Who claims the thread, and for how long.',
      examples: [{ owner: 'worker-7', ttl_seconds: 120 }],
    }),
  responses: { 200: { description: 'The claim.', body: claimSchema } },
  problems: ['invalid_thread_id', 'thread_not_found', 'thread_claimed'],
});
