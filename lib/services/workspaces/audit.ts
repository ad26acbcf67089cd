/** The audit log of a workspace (docs/concepts/authentication.md#audit-log). */
import { now } from '../../adapters/clock.ts';
import type { AuditEntry } from '../../core/audit.ts';
import type { WorkspaceId } from '../../core/ids.ts';
import { addAuditEntry, listAudit as listStored } from '../../storage/audit.ts';
import { commit } from '../../storage/transactions.ts';

/** Records a command of the operator. @param subject the command without secrets */
export async function recordCommand(workspaceId: WorkspaceId, subject: string): Promise<void> {
  const entry: AuditEntry = { at: now(), actor: 'operator', action: 'operator.command', subject };
  await commit(workspaceId, [addAuditEntry(workspaceId, entry)]);
}

/** All entries, newest first. */
export async function* listAudit(workspaceId: WorkspaceId): AsyncGenerator<AuditEntry> {
  let after: string | null = null;
  do {
    const page = await listStored(workspaceId, { limit: 100, after });
    yield* page.items;
    after = page.next;
  } while (after !== null);
}
