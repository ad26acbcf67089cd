/** Contract of `POST /threads/search` of version 1. */
import * as z from 'zod';
import { operation } from '../../../lib/http/contract.ts';
import { v1ThreadSearchInput, v1ThreadsSchema } from '../../../lib/http/presenters/v1/thread-search.ts';

export const searchV1ThreadsOperation = operation({
  id: 'v1.threads.search',
  method: 'POST',
  path: '/api/v1/threads/search',
  summary: 'Search threads',
  description:
    'Lists the threads of all Spaces that pass the filters. A thread must pass every filter that is given. Times are ' +
    'exclusive bounds. `needs_reply`: the last email came in; `awaiting_reply`: the last one went out; `active`: the ' +
    'last one is at most `staleThresholdDays` old; `stale`: it is older. The newest 20,000 threads are searched, of ' +
    'those between `createdAfter` and `createdBefore`; `someEmailHasStatus` looks at the newest 40,000 emails.',
  scope: 'read',
  budget: 'query',
  access: ['table:query'],
  params: z.strictObject({}),
  query: z.strictObject({}),
  body: v1ThreadSearchInput,
  responses: { 200: { description: 'A page of threads.', body: v1ThreadsSchema } },
  problems: [],
  memoryMb: 1024,
  timeoutSeconds: 29,
});
