/** Erasure of a workspace with everything that it owns (docs/administration.md#erasing-a-workspace). */
import { now } from '../../adapters/clock.ts';
import type { WorkspaceId } from '../../core/ids.ts';
import type { AuditEntry } from '../../core/workspaces/audit.ts';
import { newTeardown, type Teardown, teardownMessage } from '../../core/workspaces/teardown.ts';
import type { Workspace } from '../../core/workspaces/workspace.ts';
import { count } from '../../observability/count.ts';
import { commit } from '../../storage/table/transactions.ts';
import { removeKeys } from '../../storage/teardown/teardown-workspace.ts';
import { beginErasure, findTeardown } from '../../storage/teardown/teardowns.ts';

/** How far the erasure of a workspace is; null: there is none, or it is done. */
export async function findErasure(workspaceId: WorkspaceId): Promise<Teardown | null> {
  return await findTeardown(workspaceId, 'workspace');
}

/**
 * Erases a workspace: when this returns, its keys are refused and nothing in it is found; the rest is removed in the
 * background. Idempotent: repeated, it continues an erasure whose message was lost, at the step that it has reached.
 *
 * @param command the operator's command, for the audit log of the deployment
 * @returns `progress` null: everything is removed already
 */
export async function eraseWorkspace(
  { id }: Pick<Workspace, 'id'>,
  command: string,
): Promise<{ readonly isNew: boolean; readonly progress: Teardown | null }> {
  const teardown = newTeardown('workspace', now());
  const audit: AuditEntry = {
    at: teardown.deletedAt,
    actor: 'operator',
    action: 'operator.command',
    subject: command,
  };
  const isNew = await beginErasure(id, teardown, audit, [{ message: teardownMessage(id, teardown) }]);
  // The worker does the same; here, so that keys are refused from the answer on. None can be created any more.
  await removeKeys(id);
  if (isNew) {
    count('WorkspacesErased', id);
    return { isNew, progress: teardown };
  }
  const progress = await findErasure(id);
  if (progress) await commit(id, [], [{ message: teardownMessage(id, progress) }]);
  return { isNew, progress };
}
