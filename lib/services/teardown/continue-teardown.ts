/**
 * Teardown of a deleted space or an erased workspace, in steps of one queue message each
 * (docs/decisions/0047-teardown-of-spaces.md). A step removes pages of what it finds until its time is over; a step that is
 * repeated after a crash finds what is left.
 */
import { now } from '../../adapters/clock.ts';
import type { WorkspaceId } from '../../core/ids.ts';
import type { DeleteSpace, EraseWorkspace } from '../../core/queue-messages.ts';
import { afterPage, type Teardown, teardownMessage } from '../../core/workspaces/teardown.ts';
import { count } from '../../observability/count.ts';
import { logEvent } from '../../observability/log.ts';
import {
  endErasure,
  endSpaceTeardown,
  findTeardown,
  updateTeardown,
} from '../../storage/teardown/teardowns.ts';
import { findWorkspaceById } from '../../storage/workspaces/workspaces.ts';
import { phases } from './phases.ts';

/** A step starts no page after this time; the function has six times as much. */
const stepMs = 10_000;
/** A teardown that takes longer is reported. */
const lateMs = 24 * 3_600_000;

/** Processes a message that continues a teardown. Idempotent. */
export async function continueTeardown(message: DeleteSpace | EraseWorkspace): Promise<void> {
  const { workspaceId, step } = message;
  const scope = message.kind === 'delete-space' ? message.spaceId : 'workspace';
  const before = await findTeardown(workspaceId, scope);
  // A repeated message: the step is done.
  if (before?.step !== step) return;
  reportIfLate(workspaceId, before);
  const startedAt = now();
  let current = before;
  for (;;) {
    const page = await phases[current.phase]({ workspaceId, scope }, current.after);
    const following = afterPage(current, page, now());
    if (!following) return await end(workspaceId, before);
    current = following.teardown;
    const { dueAt } = following;
    if (dueAt === null && now() < startedAt + stepMs) continue;
    const after = { ...current, step: step + 1 };
    await updateTeardown(workspaceId, before, after, [
      { message: teardownMessage(workspaceId, after), ...(dueAt !== null && { dueAt }) },
    ]);
    return;
  }
}

async function end(workspaceId: WorkspaceId, teardown: Teardown): Promise<void> {
  const { scope } = teardown;
  if (scope === 'workspace') return await endWorkspace(workspaceId, teardown);
  if (!(await endSpaceTeardown(workspaceId, teardown))) return;
  count('SpacesRemoved', workspaceId);
  logEvent('space.removed', { workspace_id: workspaceId, space_id: scope });
}

async function endWorkspace(workspaceId: WorkspaceId, teardown: Teardown): Promise<void> {
  const workspace = await findWorkspaceById(workspaceId);
  if (!workspace || !(await endErasure(workspace, teardown))) return;
  count('WorkspacesRemoved', workspaceId);
  logEvent('workspace.removed', { workspace_id: workspaceId });
}

function reportIfLate(workspaceId: WorkspaceId, { scope, deletedAt }: Teardown): void {
  if (now() < deletedAt + lateMs) return;
  if (scope === 'workspace') logEvent('workspace.removal_late', { workspace_id: workspaceId });
  else logEvent('space.removal_late', { workspace_id: workspaceId, space_id: scope });
}
