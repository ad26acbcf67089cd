/** Contract of `GET /threads/{thread_id}`. */
import * as z from 'zod';
import { limits } from '../../lib/core/limits.ts';
import { operation } from '../../lib/http/contract.ts';
import { threadWithMessagesSchema } from '../../lib/http/presenters/thread.ts';
import { idSchema, integerQuery } from '../../lib/http/schemas.ts';

export const retrieveThreadOperation = operation({
  id: 'threads.retrieve',
  method: 'GET',
  path: '/api/v2/threads/{thread_id}',
  summary: 'Retrieve a thread with its messages, oldest first',
  description: 'A page of messages ends early when its content reaches 4 MB.',
  scope: 'read',
  budget: 'read',
  access: ['table:query', 'content:get'],
  params: z.strictObject({ thread_id: idSchema('thr') }),
  query: z.strictObject({
    message_limit: integerQuery({ min: 1, max: limits.pageSize }).default(limits.pageSizeDefault),
    message_cursor: z.string().optional().describe('The email id to continue after.'),
  }),
  body: null,
  responses: { 200: { description: 'The thread.', body: threadWithMessagesSchema } },
  problems: ['invalid_thread_id', 'thread_not_found', 'invalid_cursor'],
  memoryMb: 1024,
});
