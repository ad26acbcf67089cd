/** Inbound rules at work: which recipients a message may reach, and what is kept of what is blocked (docs/concepts/inbound-rules.md). */
import { now } from '../../adapters/clock.ts';
import type { BlockedEmailId } from '../../core/ids.ts';
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
import { findBlocked, storeBlocked } from '../../storage/receiving/blocked-emails.ts';
import { judgeByRules } from '../../storage/receiving/inbound-rules.ts';
import { copyRaw } from '../../storage/receiving/raw-messages.ts';
import { newEvent } from '../events/new-event.ts';
import type { Arrival } from './arrival.ts';
import type { Target } from './target.ts';

/** What the rules leave of a message. */
interface Ruled {
  readonly recipients: readonly string[];
  /** Each email and blocked email that it becomes has a raw message of its own. */
  readonly isShared: boolean;
  /** The object of the raw message belongs to a blocked email. */
  readonly keepsRaw: boolean;
}

/**
 * The recipients that the rules let the message reach. What they block is recorded with `email.blocked`. Idempotent.
 * A message that was received before, and the history of a mailbox, pass.
 */
export async function applyRules(arrival: Arrival, target: Target, seen: ArrivalLookup): Promise<Ruled> {
  const { recipients } = target;
  const { isShared } = arrival.origin;
  if (!seen.usesInboundRules || seen.receivedAs !== null || target.mailbox?.isHistory) {
    return { recipients, isShared, keepsRaw: false };
  }
  const from = arrival.message.from?.address ?? arrival.origin.returnPath;
  const judged = await judgeByRules(target, from, recipients);
  const blocked = recipients.flatMap((address, at) => {
    const decision = judged[at];
    return decision?.isBlocked ? [{ address, ruleId: decision.ruleId }] : [];
  });
  const groups = Map.groupBy(blocked, (one) => one.ruleId);
  const allowed = recipients.filter((_, at) => !judged[at]?.isBlocked);
  const owners = groups.size + (allowed.length > 0 ? 1 : 0);
  const ruled = { recipients: allowed, isShared: isShared || owners > 1 };
  let keepsRaw = false;
  for (const [ruleId, group] of groups) {
    const to = group.map(({ address }) => address);
    if (await recordBlocked(arrival, target, { ruleId, to, isShared: ruled.isShared })) keepsRaw = true;
  }
  return { ...ruled, keepsRaw };
}

/** @returns whether the object of the raw message belongs to the record */
async function recordBlocked(
  arrival: Arrival,
  target: Target,
  { ruleId, to, isShared }: Pick<BlockedEmail, 'ruleId' | 'to'> & { readonly isShared: boolean },
): Promise<boolean> {
  const { message, origin, fingerprint } = arrival;
  const { workspaceId, spaceId } = target;
  const id = blockedEmailId(target, fingerprint, to);
  const known = await findBlocked(workspaceId, id);
  if (known) return keeps(known, origin);
  const source = await sourceOf(arrival, target, id, isShared);
  if (!source) return false;
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
  if (!(await storeBlocked(workspaceId, blocked, [{ message: event }, ...messages]))) {
    const other = await findBlocked(workspaceId, id);
    return other !== null && keeps(other, origin);
  }
  count('InboundBlocked', workspaceId);
  logEvent('inbound.blocked', { ses_id: origin.id, workspace_id: workspaceId, rule_id: ruleId ?? '' });
  return keeps(blocked, origin);
}

const keeps = ({ source }: Pick<BlockedEmail, 'source'>, { raw }: Arrival['origin']): boolean =>
  source.kind === 'ses' && source.raw.key === raw?.key;

async function sourceOf(
  { origin }: Arrival,
  { workspaceId, mailbox, domainId }: Target,
  id: BlockedEmailId,
  isShared: boolean,
): Promise<BlockedSource | null> {
  if (mailbox) return { kind: 'mailbox', mailboxId: mailbox.mailboxId, messageId: mailbox.messageId };
  const { id: sesId, returnPath, verdicts } = origin;
  if (!origin.raw) return null;
  const raw = isShared ? await copyRaw(workspaceId, id, origin.raw) : { ...origin.raw };
  return { kind: 'ses', sesId, returnPath, verdicts, raw, domainId };
}
