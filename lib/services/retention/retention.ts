/** For how long a workspace keeps mail (docs/concepts/deletion.md#retention). */
import type { WorkspaceId } from '../../core/ids.ts';
import { env } from '../../env.ts';
import { findMailDays, setMailDays } from '../../storage/workspaces/retention.ts';

export interface MailRetention {
  /** null: forever. */
  readonly mailDays: number | null;
  /** As the deployment says. */
  readonly isDefault: boolean;
}

/** Changes it, and returns what is in force. @param mailDays 0: forever; null: as the deployment says; undefined: no change */
export async function changeRetention(
  workspaceId: WorkspaceId,
  mailDays: number | null | undefined,
): Promise<MailRetention> {
  if (mailDays !== undefined) await setMailDays(workspaceId, mailDays);
  const own = await findMailDays(workspaceId);
  return { mailDays: (own ?? env().MAIL_RETENTION_DAYS) || null, isDefault: own === null };
}
