/** Lists threads. */
import { now } from '../../lib/adapters/clock.ts';
import { threadMatcher } from '../../lib/core/threads/search.ts';
import type { ActivityPosition } from '../../lib/core/threads/thread.ts';
import { presentThread } from '../../lib/http/presenters/thread.ts';
import { serve } from '../../lib/http/serve.ts';
import { listThreads } from '../../lib/services/reading/list-threads.ts';
import { listThreadsOperation } from './list.contract.ts';

export const handler = serve(listThreadsOperation, async ({ caller, query, page, nextCursor }) => {
  const { space, mailbox, label: labels, read, claimed, query: words } = query;
  const filter = { space, mailbox, labels, read, claimed, matches: words ? threadMatcher(words) : undefined };
  const { items, next } = await listThreads(caller.workspaceId, filter, page<ActivityPosition>());
  const at = now();
  return {
    status: 200,
    body: { data: items.map((thread) => presentThread(thread, at)), next_cursor: await nextCursor(next) },
  };
});
