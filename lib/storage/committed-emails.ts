/**
 * Emails that were put ahead of a commit that has not followed, perhaps never will: the function may have died
 * (docs/decisions/0057-a-thread-commits-its-first-email.md). Their thread does not exist, and readers pass over them.
 */
import type { EmailHead } from '../core/email.ts';
import type { WorkspaceId } from '../core/ids.ts';
import { threadKey } from './keys.ts';
import { getMany } from './reads.ts';

/** Only what was committed goes on: an email that has changed since its creation exists. */
function mayBeUncommitted({ status, revision }: EmailHead): boolean {
  return revision === 1 && (status === 'queued' || status === 'scheduled');
}

/** The emails that are committed, in their order. Reads the threads of those that may not be. */
export async function committedOf(
  workspaceId: WorkspaceId,
  heads: readonly EmailHead[],
): Promise<readonly EmailHead[]> {
  const threadIds = [...new Set(heads.filter(mayBeUncommitted).map(({ threadId }) => threadId))];
  if (threadIds.length === 0) return heads;
  const threads = await getMany(threadIds.map((id) => threadKey(workspaceId, id)));
  const missing = new Set(threadIds.filter((_, at) => threads[at] === null));
  return heads.filter((head) => !mayBeUncommitted(head) || !missing.has(head.threadId));
}

/** The email, or null where it is not committed. */
export async function ifCommitted(workspaceId: WorkspaceId, head: EmailHead): Promise<EmailHead | null> {
  const [committed] = await committedOf(workspaceId, [head]);
  return committed ?? null;
}
