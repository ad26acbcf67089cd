/** A thread that a request names. */
import type { ThreadId, WorkspaceId } from '../../core/ids.ts';
import { Problem } from '../../core/problems.ts';
import type { Thread } from '../../core/threads/thread.ts';
import { findThread } from '../../storage/threads/threads.ts';

/** @throws Problem thread_not_found */
export async function getThread(workspaceId: WorkspaceId, id: ThreadId): Promise<Thread> {
  const thread = await findThread(workspaceId, id);
  if (!thread) throw threadNotFound();
  return thread;
}

export const threadNotFound = (): Problem => new Problem('thread_not_found', 'The thread does not exist.');
