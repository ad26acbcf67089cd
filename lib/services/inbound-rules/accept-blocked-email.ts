/** Accepting a blocked message: a worker receives it, past the rules. */
import type { BlockedEmailId, WorkspaceId } from '../../core/ids.ts';
import { Problem } from '../../core/problems.ts';
import { acceptBlocked, findOpenBlocked } from '../../storage/receiving/blocked-emails.ts';

/** @throws Problem not_found, also for a message that has expired */
export async function acceptBlockedEmail(workspaceId: WorkspaceId, blockedId: BlockedEmailId): Promise<void> {
  const blocked = await findOpenBlocked(workspaceId, blockedId);
  const message = { kind: 'receive-blocked-email' as const, v: 1 as const, workspaceId, blockedId };
  if (blocked && (await acceptBlocked(workspaceId, blocked, [{ message }]))) return;
  throw new Problem('not_found', 'There is no such blocked email; they are kept for 30 days.');
}
