/** Lists of threads as the API reads them (docs/concepts/threads.md). */
import { now } from '../../adapters/clock.ts';
import type { WorkspaceId } from '../../core/ids.ts';
import type { Page, Paging } from '../../core/page.ts';
import type { ActivityPosition, Thread } from '../../core/threads/thread.ts';
import * as store from '../../storage/threads/thread-lists.ts';
import { checkSpaceFilter } from '../spaces/spaces.ts';

/** A page of threads, most recently active first. @throws Problem not_found (space) */
export async function listThreads(
  workspaceId: WorkspaceId,
  filter: store.ThreadFilter,
  paging: Paging<ActivityPosition>,
): Promise<Page<Thread, ActivityPosition>> {
  const [page] = await Promise.all([
    store.listThreads(workspaceId, filter, { ...paging, now: now() }),
    checkSpaceFilter(workspaceId, filter.space),
  ]);
  return page;
}
