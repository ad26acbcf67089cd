/** Inbound rules at work: which recipients a message may reach, and what is kept of what is blocked (docs/concepts/inbound-rules.md). */
import { now } from '../../adapters/clock.ts';
import { limits } from '../../core/limits.ts';
import {
  type BlockedEmail,
  type BlockedSource,
  blockedEmailId,
  endsOfBlocked,
} from '../../core/receiving/inbound-rules.ts';
import { count } from '../../observability/count.ts';
import { logEvent } from '../../observability/log.ts';
import type { ArrivalLookup } from '../../storage/emails/arrivals.ts';
import { storeBlocked } from '../../storage/receiving/blocked-emails.ts';
import { judgeByRules } from '../../storage/receiving/inbound-rules.ts';
import { newEvent } from '../events/new-event.ts';
import type { Arrival } from './arrival.ts';
import type { Target } from './store-in-space.ts';

/**
 * The recipients that the rules let the message reach. What they block is recorded with `email.blocked`. Idempotent.
 * A message that was received before, and the history of a mailbox, pass.
 */
export async function applyRules(
  arrival: Arrival,
  target: Target,
  seen: ArrivalLookup,
): Promise<readonly string[]> {
  const { recipients } = target;
  if (!seen.hasInboundRules || seen.receivedAs !== null || target.mailbox?.isHistory) return recipients;
  const from = arrival.message.from?.address ?? arrival.origin.returnPath;
  const judged = await judgeByRules(target, from, recipients);
  const blocked = recipients.flatMap((address, at) => {
    const decision = judged[at];
    return decision?.isBlocked ? [{ address, ruleId: decision.ruleId }] : [];
  });
  const groups = Map.groupBy(blocked, (one) => one.ruleId);
  const isOnly = groups.size === 1 && blocked.length === recipients.length;
  const source = sourceOf(arrival, target, isOnly);
  for (const [ruleId, group] of source ? groups : []) {
    const to = group.map(({ address }) => address);
    if (source) await recordBlocked(arrival, target, { ruleId, to, source });
  }
  return recipients.filter((_, at) => !judged[at]?.isBlocked);
}

async function recordBlocked(
  arrival: Arrival,
  target: Target,
  { ruleId, to, source }: Pick<BlockedEmail, 'ruleId' | 'to' | 'source'>,
): Promise<void> {
  const { message, origin, fingerprint } = arrival;
  const { workspaceId, spaceId } = target;
  const id = blockedEmailId(target, fingerprint, to);
  const at = now();
  const { openUntil, expiresAt } = endsOfBlocked(at);
  const blocked = {
    id,
    spaceId,
    from: message.from?.address ?? origin.returnPath,
    to,
    subject: message.subject.slice(0, limits.subjectCharacters),
    ruleId,
    source,
    createdAt: at,
    acceptedAt: null,
    expiresAt,
  };
  const event = newEvent(workspaceId, 'email.blocked', at, { blockedId: id });
  const expiry = { kind: 'expire-blocked-email', v: 1, workspaceId, blockedId: id } as const;
  const messages = source.kind === 'ses' ? [{ message: expiry, dueAt: openUntil }] : [];
  if (!(await storeBlocked(workspaceId, blocked, [{ message: event }, ...messages]))) return;
  count('InboundBlocked', workspaceId);
  logEvent('inbound.blocked', { ses_id: origin.id, workspace_id: workspaceId, rule_id: ruleId ?? '' });
}

function sourceOf({ origin }: Arrival, { mailbox, domainId }: Target, isOnly: boolean): BlockedSource | null {
  if (mailbox) return { kind: 'mailbox', mailboxId: mailbox.mailboxId, messageId: mailbox.messageId };
  const { id: sesId, returnPath, verdicts, raw, isShared } = origin;
  return raw && { kind: 'ses', sesId, returnPath, verdicts, raw: { ...raw }, isShared, isOnly, domainId };
}
