/** What a failed submission for an SES tenant means. Loaded when one fails: the calls would add to every cold start. */
import type { SubmissionOutcome } from '../../adapters/ses.ts';
import { isTenantPaused } from '../../adapters/ses-tenants.ts';
import type { WorkspaceId } from '../../core/ids.ts';
import { removeTenantIdentity } from '../../storage/sending/tenants.ts';
import { suspendWorkspace } from './sending-guard.ts';

/**
 * - `paused`: SES has paused the tenant. The workspace is suspended, and its mail waits; the account is not affected.
 * - `again`: the tenant or an association is missing. The record is removed: the mail goes without the tenant.
 * - `other`: the failure has nothing to do with the tenant.
 *
 * SES does not document which errors it gives in these cases; the text of the error decides what to ask.
 */
export async function tenantFailureOf(
  workspaceId: WorkspaceId,
  of: { readonly region: string; readonly identity: string },
  outcome: SubmissionOutcome,
): Promise<'paused' | 'again' | 'other'> {
  if (outcome.kind !== 'refused' && outcome.kind !== 'delayed') return 'other';
  const { region, identity } = of;
  if (/paus|suspend|disabled/i.test(outcome.reason) && (await isTenantPaused(region, workspaceId))) {
    await suspendWorkspace(workspaceId, 'reputation');
    return 'paused';
  }
  if (outcome.kind === 'delayed' || !/tenant|associat/i.test(outcome.reason)) return 'other';
  await removeTenantIdentity(workspaceId, region, identity);
  return 'again';
}
