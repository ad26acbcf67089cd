/** Lists threads. */
import { threadMatcher } from '../../lib/core/threads/search.ts';
import type { ActivityPosition } from '../../lib/core/threads/thread.ts';
import { presentThread } from '../../lib/http/presenters/thread.ts';
import { serve } from '../../lib/http/serve.ts';
import { listThreads } from '../../lib/services/reading/threads.ts';
import { listThreadsOperation } from './list.contract.ts';

export const handler = serve(listThreadsOperation, async ({ caller, query, page, nextCursor }) => {
  const { space, mailbox, query: words } = query;
  const filter = { space, mailbox, matches: words ? threadMatcher(words) : undefined };
  const { items, next } = await listThreads(caller.workspaceId, filter, page<ActivityPosition>());
  return { status: 200, body: { data: items.map(presentThread), next_cursor: await nextCursor(next) } };
});
