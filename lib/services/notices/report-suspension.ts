/** Reports the suspension of a workspace to its members (docs/concepts/sending-limits.md#suspension). */
import { suspensionNotice, suspensionRecipients } from '../../core/notices/suspension-notice.ts';
import type { ReportSuspension } from '../../core/queue-messages.ts';
import { logEvent } from '../../observability/log.ts';
import { listMembers } from '../../storage/workspaces/members.ts';
import { findWorkspaceById } from '../../storage/workspaces/workspaces.ts';
import { mailMembers } from './mail-members.ts';

/**
 * Processes a `report-suspension` message: a mail to each owner and admin, and a log event.
 *
 * @throws Error where SES accepts nothing now: to be repeated
 */
export async function reportSuspension({ workspaceId, reason, at }: ReportSuspension): Promise<void> {
  const [workspace, members] = await Promise.all([findWorkspaceById(workspaceId), listMembers(workspaceId)]);
  if (!workspace || workspace.erasedAt !== null) return;
  const notice = suspensionNotice(workspace.name, { reason, at });
  await mailMembers(workspaceId, notice, suspensionRecipients(members), (recipients) => {
    logEvent('workspace.suspension_reported', { workspace_id: workspaceId, reason, recipients });
  });
}
