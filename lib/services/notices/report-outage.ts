/** Reports outages of webhook endpoints to the members of the workspace (docs/concepts/webhooks.md#outage-mail). */
import { outageNotice, outageRecipients } from '../../core/notices/outage-notice.ts';
import type { ReportOutage } from '../../core/queue-messages.ts';
import { count } from '../../observability/count.ts';
import { logEvent } from '../../observability/log.ts';
import { findEndpoint } from '../../storage/webhooks/endpoints.ts';
import { listMembers } from '../../storage/workspaces/members.ts';
import { findWorkspaceById } from '../../storage/workspaces/workspaces.ts';
import { mailMembers } from './mail-members.ts';

/**
 * Processes a `report-outage` message: a log event, a metric, and a mail to each owner and admin who has not opted out.
 *
 * @throws Error where SES accepts nothing now: to be repeated
 */
export async function reportOutage({ workspaceId, endpointId, failingSince }: ReportOutage): Promise<void> {
  const [found, workspace, members] = await Promise.all([
    findEndpoint(workspaceId, endpointId),
    findWorkspaceById(workspaceId),
    listMembers(workspaceId),
  ]);
  if (!found?.endpoint.enabled || !workspace || workspace.erasedAt !== null) return;
  const { url } = found.endpoint;
  const notice = outageNotice({ endpointId, workspace: workspace.name, url, failingSince });
  await mailMembers(workspaceId, notice, outageRecipients(members), (recipients) => {
    count('WebhookOutages', workspaceId);
    logEvent('webhook.outage', { workspace_id: workspaceId, endpoint_id: endpointId, recipients });
  });
}
