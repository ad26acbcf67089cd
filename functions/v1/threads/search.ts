/** Searches threads, in version 1. */
import { presentV1ThreadSummary, v1ThreadSearch } from '../../../lib/http/presenters/v1/thread-search.ts';
import { serve } from '../../../lib/http/serve.ts';
import { searchThreads } from '../../../lib/services/reading/search-threads.ts';
import { searchV1ThreadsOperation } from './search.contract.ts';

export const handler = serve(searchV1ThreadsOperation, async ({ caller, body }) => {
  const { limit, offset } = body;
  const { threads, total } = await searchThreads(caller.workspaceId, v1ThreadSearch(body));
  const hasMore = offset + limit < total;
  return {
    status: 200,
    body: { threads: threads.map(presentV1ThreadSummary), pagination: { total, limit, offset, hasMore } },
  };
});
