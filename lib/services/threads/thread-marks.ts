/** Labels, read state and claims of threads (docs/concepts/threads.md#labels-read-state-and-claims). */
import { now } from '../../adapters/clock.ts';
import type { ThreadId, WorkspaceId } from '../../core/ids.ts';
import { Problem } from '../../core/problems.ts';
import { type Claim, isClaimedAt, labelsMax, type Marks, type Thread } from '../../core/threads/thread.ts';
import { changeMarks, labelsRemovedAtOnce } from '../../storage/threads/thread-marks.ts';
import { getThread } from '../reading/get-thread.ts';
import { conflict, joinPatienceMs, retryOnConflict } from '../retry-on-conflict.ts';
import { threadClaimed } from '../sending/accept-checks.ts';

export interface ThreadChange {
  readonly labels?:
    | { readonly add?: readonly string[] | undefined; readonly remove?: readonly string[] | undefined }
    | undefined;
  readonly read?: boolean | undefined;
}

/**
 * Changes labels and read state; returns the thread as it is then. A crash may leave a part of many removed labels: a repetition
 * removes the rest.
 *
 * @throws Problem thread_not_found, limit_reached (labels)
 */
export async function updateThread(
  workspaceId: WorkspaceId,
  id: ThreadId,
  { labels = {}, read }: ThreadChange,
): Promise<Thread> {
  const { add = [], remove = [] } = labels;
  return await changeThread(workspaceId, id, (thread) => {
    const kept = thread.labels.filter((label) => !remove.includes(label));
    const wanted = [...new Set([...kept, ...add])].sort();
    if (wanted.length > labelsMax) {
      throw new Problem(
        'limit_reached',
        `The thread would have ${wanted.length} labels; at most ${labelsMax} are allowed. Remove some.`,
      );
    }
    return { labels: wanted, unread: read === undefined ? thread.unread : !read, claim: thread.claim };
  });
}

/**
 * Claims a thread, or renews the claim of the same owner.
 *
 * @throws Problem thread_not_found, thread_claimed
 */
export async function claimThread(
  workspaceId: WorkspaceId,
  id: ThreadId,
  { owner, ttlSeconds }: { readonly owner: string; readonly ttlSeconds: number },
): Promise<Claim> {
  let claim: Claim = { owner, expiresAt: 0 };
  await changeThread(workspaceId, id, (thread) => {
    const at = now();
    if (isClaimedAt(thread, at) && thread.claim?.owner !== owner) throw threadClaimed(thread);
    claim = { owner, expiresAt: at + ttlSeconds * 1000 };
    return { ...thread, claim };
  });
  return claim;
}

/**
 * Releases a thread. Idempotent.
 *
 * @param owner who has to hold the claim, where another one does; undefined: anybody
 * @throws Problem thread_not_found, thread_claimed
 */
export async function releaseThread(
  workspaceId: WorkspaceId,
  id: ThreadId,
  owner: string | undefined,
): Promise<void> {
  await changeThread(workspaceId, id, (thread) => {
    const isOthers = owner !== undefined && thread.claim?.owner !== owner;
    if (isOthers && isClaimedAt(thread, now())) throw threadClaimed(thread);
    return { ...thread, claim: isOthers ? thread.claim : null };
  });
}

async function changeThread(
  workspaceId: WorkspaceId,
  id: ThreadId,
  decide: (thread: Thread) => Marks,
): Promise<Thread> {
  return await retryOnConflict(
    `thread ${id}`,
    async () => {
      const thread = await getThread(workspaceId, id);
      const wanted = marksOf(decide(thread));
      const [labels, isWhole] = removable(thread, wanted.labels);
      const marks = isWhole ? wanted : { ...marksOf(thread), labels };
      if (isWhole && isUnchanged(thread, marks)) return thread;
      const isChanged = await changeMarks(workspaceId, thread, marks);
      return isChanged && isWhole ? { ...thread, ...marks } : conflict;
    },
    joinPatienceMs,
  );
}

const marksOf = ({ labels, unread, claim }: Marks): Marks => ({ labels, unread, claim });

/** The labels after one transaction of a change, and whether it is all of the change. */
function removable(thread: Thread, wanted: readonly string[]): readonly [readonly string[], boolean] {
  const removed = thread.labels.filter((label) => !wanted.includes(label));
  const most = labelsRemovedAtOnce(thread);
  if (removed.length <= most) return [wanted, true];
  const first = new Set(removed.slice(0, most));
  return [thread.labels.filter((label) => !first.has(label)), false];
}

function isUnchanged(thread: Thread, marks: Marks): boolean {
  return (
    thread.unread === marks.unread &&
    thread.claim?.owner === marks.claim?.owner &&
    thread.claim?.expiresAt === marks.claim?.expiresAt &&
    thread.labels.join() === marks.labels.join()
  );
}
