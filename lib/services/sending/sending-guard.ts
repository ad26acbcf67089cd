/** Caps on recipients, and suspension of workspaces (docs/concepts/sending-limits.md). */
import { now } from '../../adapters/clock.ts';
import { idTime, type WorkspaceId } from '../../core/ids.ts';
import { raisedBy } from '../../core/limits.ts';
import { Problem } from '../../core/problems.ts';
import {
  capsOf,
  capWaits,
  type RecipientCaps,
  reasonToSuspend,
  type SendingGuard,
  type Suspension,
  unusedGuard,
} from '../../core/sending/sending-guard.ts';
import { Recent } from '../../core/work/recent.ts';
import { env } from '../../env.ts';
import { count } from '../../observability/count.ts';
import { logEvent } from '../../observability/log.ts';
import * as store from '../../storage/sending/sending-guards.ts';
import { conflict, retryOnConflict } from '../retry-on-conflict.ts';

/** The caps that hold for a workspace now. */
export function currentCaps(workspaceId: WorkspaceId, guard: Pick<SendingGuard, 'caps'>): RecipientCaps {
  return capsOf(guard, env().RECIPIENT_CAPS, idTime(workspaceId), now());
}

/** Recipients that are counted for an email. */
export interface Reservation {
  /** Why they are not counted: `sending_limit`, `limit_reached` or `workspace_suspended`. */
  readonly refusal: Problem | null;
  /** The version of the pacing rules, which is in the same item. */
  readonly pacingRules: { readonly version: number; readonly spread: number };
  /** Gives them back: the email was not accepted. */
  undo(): Promise<void>;
}

/** Guards as this function saw them last: they select the form of the update, and decide nothing. */
const seen = new Recent<WorkspaceId, SendingGuard>();

/** Counts the recipients of an email against the caps of its workspace. */
export async function reserveRecipients(workspaceId: WorkspaceId, recipients: number): Promise<Reservation> {
  let known = seen.get(workspaceId) ?? unusedGuard;
  return await retryOnConflict(`sending guard of ${workspaceId}`, async () => {
    const at = now();
    const caps = currentCaps(workspaceId, known);
    // The caps may have been raised since they were seen.
    const { isDone, guard } = exceeds(caps, recipients)
      ? { isDone: false, guard: await store.findSendingGuard(workspaceId) }
      : await store.spendRecipients(workspaceId, known, { caps, recipients, nowMs: at });
    seen.set(workspaceId, guard);
    known = guard;
    const pacingRules = { version: guard.pacingVersion, spread: guard.pacingSpread };
    if (isDone) {
      return {
        refusal: null,
        pacingRules,
        undo: () => store.returnRecipients(workspaceId, caps, recipients, at),
      };
    }
    const refusal = refusalOf(guard, currentCaps(workspaceId, guard), recipients);
    return refusal ? { refusal, pacingRules, undo: async () => {} } : conflict;
  });
}

/** Whether an email has more recipients than a cap: no waiting helps. */
const exceeds = ({ perHour, perDay }: RecipientCaps, recipients: number): boolean =>
  recipients > Math.min(perHour, perDay);

function refusalOf(guard: SendingGuard, caps: RecipientCaps, recipients: number): Problem | null {
  if (guard.suspension) {
    return new Problem(
      'workspace_suspended',
      `Sending is suspended: ${reasonTexts[guard.suspension.reason]}. ` +
        'The operator ends it with `npm run admin -- workspace resume --workspace SLUG`.',
    );
  }
  const allowed = `The workspace may send to ${caps.perHour} recipients an hour and ${caps.perDay} a day`;
  if (exceeds(caps, recipients)) {
    return new Problem(
      'limit_reached',
      `${allowed}; this email has ${recipients}. Send several emails. ` +
        raisedCap(guard, { hour: recipients > caps.perHour, day: recipients > caps.perDay }),
    );
  }
  const waits = capWaits(guard, caps, recipients, now());
  const waitMs = Math.max(waits.hour, waits.day);
  if (waitMs === 0) return null;
  const full = waits.day > 0 ? `its cap of ${caps.perDay} a day` : `its cap of ${caps.perHour} an hour`;
  const raised = raisedCap(guard, { hour: waits.hour > 0, day: waits.day > 0 });
  return new Problem('sending_limit', `${allowed}, and has reached ${full}. ${raised}`, {
    headers: { 'retry-after': String(Math.ceil(waitMs / 1000)) },
  });
}

/** How the caps that refuse an email are raised. */
function raisedCap(
  { caps }: SendingGuard,
  refusing: { readonly hour: boolean; readonly day: boolean },
): string {
  const named = [
    ...(refusing.hour ? [{ option: 'recipients-per-hour', setting: 'recipientsPerHour' }] : []),
    ...(refusing.day ? [{ option: 'recipients-per-day', setting: 'recipientsPerDay' }] : []),
  ];
  return raisedBy(
    named.map(({ option }) => option),
    caps ? [] : named.map(({ setting }) => setting),
  );
}

const reasonTexts: Readonly<Record<Suspension['reason'], string>> = {
  operator: 'the operator has suspended the workspace',
  bounces: 'too many recipients of the last 24 hours do not exist',
  complaints: 'too many recipients of the last 24 hours reported the mail as spam',
  reputation: 'Amazon SES has paused it because of its reputation',
};

/** Counts a report of SES about an email, and suspends the workspace where there are too many. */
export async function countReport(
  workspaceId: WorkspaceId,
  what: 'bounced' | 'complained',
  recipients: number,
): Promise<void> {
  const guard = await store.countReports(workspaceId, what, recipients, now());
  const reason = reasonToSuspend(guard, now());
  if (!reason || guard.suspension) return;
  await suspendWorkspace(workspaceId, reason);
}

/** Suspends the sending of a workspace and tells its members. False where it is suspended already. */
export async function suspendWorkspace(
  workspaceId: WorkspaceId,
  reason: Suspension['reason'],
): Promise<boolean> {
  const at = now();
  const message = { kind: 'report-suspension', v: 1, workspaceId, reason, at } as const;
  if (!(await store.suspend(workspaceId, { reason, at }, [{ message }]))) return false;
  count('WorkspacesSuspended', workspaceId);
  logEvent('workspace.suspended', { workspace_id: workspaceId, reason });
  return true;
}

/**
 * Changes the caps that `change` names, and returns those in force.
 *
 * @param change null: the caps of the deployment, with the warm-up
 */
export async function changeRecipientCaps(
  workspaceId: WorkspaceId,
  change: { readonly [Name in keyof RecipientCaps]?: number | undefined } | null,
): Promise<{ readonly caps: RecipientCaps; readonly suspension: Suspension | null }> {
  const guard = await store.findSendingGuard(workspaceId);
  const { suspension } = guard;
  if (!change) {
    await store.setRecipientCaps(workspaceId, null);
    return { caps: currentCaps(workspaceId, { caps: null }), suspension };
  }
  const before = currentCaps(workspaceId, guard);
  const caps = { perHour: change.perHour ?? before.perHour, perDay: change.perDay ?? before.perDay };
  if (change.perHour !== undefined || change.perDay !== undefined) {
    await store.setRecipientCaps(workspaceId, caps);
  }
  return { caps, suspension };
}

/** Ends a suspension; mail that waits goes on. False where there is none. */
export async function resumeWorkspace(workspaceId: WorkspaceId): Promise<boolean> {
  return await store.resume(workspaceId);
}
