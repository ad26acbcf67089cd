/** Reports of outages of webhook endpoints to the members of the workspace (docs/concepts/webhooks.md#outage-mail). */
import { now, pause } from '../../adapters/clock.ts';
import { submitToSes } from '../../adapters/ses.ts';
import { hostOf } from '../../core/mail/addresses.ts';
import { composeMessage } from '../../core/mail/compose.ts';
import type { ReportOutage } from '../../core/queue-messages.ts';
import { type Outage, outageMail, outageRecipients } from '../../core/webhooks/outage-mail.ts';
import { env } from '../../env.ts';
import { count } from '../../observability/count.ts';
import { logEvent } from '../../observability/log.ts';
import { claimOutageReport, releaseOutageReport } from '../../storage/endpoint-states.ts';
import { findEndpoint } from '../../storage/endpoints.ts';
import { findWorkspaceById, listMembers } from '../../storage/workspaces.ts';
import { reserveNow } from '../sending/send-slots.ts';

/** How long a worker waits for a slot of the sending rate. */
const slotWaitMs = 20_000;
const claimKeptMs = 90 * 24 * 3_600_000;

/**
 * Processes a `report-outage` message: a log event, a metric, and a mail to each owner and admin who has not opted out, once
 * each. Without the setting `supportEmail` no mail is sent. Idempotent: every mail is claimed before it is submitted.
 *
 * @throws Error where SES accepts nothing now: to be repeated
 */
export async function reportOutage(message: ReportOutage): Promise<void> {
  const { workspaceId, endpointId, failingSince } = message;
  const { SUPPORT_EMAIL: from, BRAND: brand } = env();
  const [found, workspace, members] = await Promise.all([
    findEndpoint(workspaceId, endpointId),
    findWorkspaceById(workspaceId),
    listMembers(workspaceId),
  ]);
  if (!found?.endpoint.enabled || !workspace) return;
  const recipients = from ? outageRecipients(members) : [];
  const outage = { brand, from, workspace: workspace.name, url: found.endpoint.url, failingSince };
  if (await claim(message, '')) {
    count('WebhookOutages', workspaceId);
    const fields = { workspace_id: workspaceId, endpoint_id: endpointId, recipients: recipients.length };
    logEvent('webhook.outage', fields);
  }
  for (const to of recipients) {
    if (await claim(message, to)) await mail(message, outage, to);
  }
}

async function claim(message: ReportOutage, to: string): Promise<boolean> {
  return await claimOutageReport(message, to, now() + claimKeptMs);
}

async function mail(message: ReportOutage, outage: Outage, to: string): Promise<void> {
  const { workspaceId, endpointId } = message;
  const region = env().DEFAULT_REGION;
  const slot = await reserveNow(region, 1, slotWaitMs);
  if (!slot) return await giveBack(message, to, 'no slot of the sending rate');
  await pause(Math.max(0, slot.time - now()));
  const messageId = `<outage.${endpointId}.${message.failingSince}@${hostOf(outage.from)}>`;
  const raw = await composeMessage(outageMail(outage, to, messageId, now()));
  const outcome = await submitToSes({ region, from: outage.from, recipients: [to], raw, tags: {} });
  if (outcome.kind === 'delayed') await giveBack(message, to, outcome.reason);
  if (outcome.kind !== 'refused') return;
  const { cause, reason } = outcome;
  logEvent('webhook.outage_mail_refused', {
    workspace_id: workspaceId,
    endpoint_id: endpointId,
    cause,
    reason,
  });
}

/** The mail was certainly not sent: the message is repeated. */
async function giveBack(message: ReportOutage, to: string, reason: string): Promise<never> {
  await releaseOutageReport(message, to);
  throw new Error(`an outage mail was not sent: ${reason}`);
}
