/** Lists threads. */
import { now } from '../../lib/adapters/clock.ts';
import { threadMatcher } from '../../lib/core/search.ts';
import { presentThread } from '../../lib/http/presenters/thread.ts';
import { serve } from '../../lib/http/serve.ts';
import { getSpace } from '../../lib/storage/spaces.ts';
import { type ActivityPosition, listThreads } from '../../lib/storage/threads.ts';
import { listThreadsOperation } from './list.contract.ts';

export const handler = serve(
  listThreadsOperation,
  async ({ caller: { workspaceId }, query, page, nextCursor }) => {
    const { space, mailbox, query: words } = query;
    const filter = { space, mailbox, matches: words ? threadMatcher(words) : undefined };
    const [threads] = await Promise.all([
      listThreads(workspaceId, filter, { ...page<ActivityPosition>(), now: now() }),
      space ? getSpace(workspaceId, space) : null,
    ]);
    return {
      status: 200,
      body: { data: threads.items.map(presentThread), next_cursor: nextCursor(threads.next) },
    };
  },
);
