/** Contract of `GET /threads/{threadId}` of version 1. */
import * as z from 'zod';
import { operation } from '../../../lib/http/contract.ts';
import { v1ThreadSchema } from '../../../lib/http/presenters/v1/thread.ts';
import { idSchema } from '../../../lib/http/schemas.ts';

export const retrieveV1ThreadOperation = operation({
  id: 'v1.threads.retrieve',
  method: 'GET',
  path: '/api/v1/threads/{threadId}',
  summary: 'Retrieve a thread with its emails and drafts, oldest first',
  description:
    'Returns a thread with its emails and drafts: of a long thread the newest 200, or as many as fit into 4 MB. ' +
    'Version 2 has pages of messages.',
  scope: 'read',
  budget: 'read',
  access: ['table:query', 'content:get'],
  params: z.strictObject({ threadId: idSchema('thr', 'thread_not_found') }),
  query: z.strictObject({}),
  body: null,
  responses: { 200: { description: 'The thread.', body: v1ThreadSchema } },
  problems: ['thread_not_found'],
  memoryMb: 1024,
});
