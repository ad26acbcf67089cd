/** The audit log of a workspace (docs/concepts/authentication.md#audit-log). */
import { now } from '../../adapters/clock.ts';
import type { WorkspaceId } from '../../core/ids.ts';
import type { AuditEntry } from '../../core/workspaces/audit.ts';
import { commit, transact } from '../../storage/table/transactions.ts';
import { addAuditEntry, addOperatorEntry, listAudit as listStored } from '../../storage/workspaces/audit.ts';

/**
 * Records a command of the operator.
 *
 * @param workspaceId null: it belongs to no workspace
 * @param subject the command without secrets
 */
export async function recordCommand(workspaceId: WorkspaceId | null, subject: string): Promise<void> {
  const entry: AuditEntry = { at: now(), actor: 'operator', action: 'operator.command', subject };
  if (workspaceId === null) await transact([addOperatorEntry(entry)]);
  else await commit(workspaceId, [addAuditEntry(workspaceId, entry)]);
}

/** All entries of a workspace, or of the deployment; newest first. */
export async function* listAudit(workspaceId: WorkspaceId | null): AsyncGenerator<AuditEntry> {
  let after: string | null = null;
  do {
    const page = await listStored(workspaceId, { limit: 100, after });
    yield* page.items;
    after = page.next;
  } while (after !== null);
}
