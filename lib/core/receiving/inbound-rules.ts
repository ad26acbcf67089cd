/** Inbound rules: who may write to a workspace, a space or an address (docs/concepts/inbound-rules.md). */
import { createHash } from 'node:crypto';
import { addressKey, asciiDomain, normalizeAddress, splitAddress } from '../../mail/addresses/addresses.ts';
import type { Verdicts } from '../../mail/message/verdicts.ts';
import type { BlockedEmailId, DomainId, InboundRuleId, MailboxId, SpaceId, WorkspaceId } from '../ids.ts';

export const ruleActions = ['allow', 'block'] as const;
export type RuleAction = (typeof ruleActions)[number];

/** Where a rule applies; null: everywhere. */
export interface RuleScope {
  readonly spaceId: SpaceId | null;
  /** One of the workspace's, as `addressKey` makes it. */
  readonly address: string | null;
}

export interface InboundRule extends RuleScope {
  readonly id: InboundRuleId;
  readonly action: RuleAction;
  /** Canonical. */
  readonly pattern: string;
  readonly note: string | null;
  readonly createdAt: number;
  readonly revision: number;
}

/** A message that rules have blocked; it can be let in for 30 days. */
export interface BlockedEmail {
  readonly id: BlockedEmailId;
  readonly spaceId: SpaceId | null;
  readonly from: string;
  readonly to: readonly string[];
  readonly subject: string;
  /** null: no allow rule matched. */
  readonly ruleId: InboundRuleId | null;
  readonly source: BlockedSource;
  readonly createdAt: number;
  /** When it was last let in, or null. */
  readonly acceptedAt: number | null;
  /** When the record goes: later than the raw message. */
  readonly expiresAt: number;
}

/** Where the message is. */
export type BlockedSource =
  | {
      readonly kind: 'ses';
      readonly sesId: string;
      readonly returnPath: string;
      readonly verdicts: Verdicts;
      /** Of this record alone, with which it goes. */
      readonly raw: { readonly bucket: string; readonly key: string; readonly region: string };
      readonly domainId: DomainId | null;
    }
  | { readonly kind: 'mailbox'; readonly mailboxId: MailboxId; readonly messageId: string };

/** Labels of a host that are looked up. */
const labelsMax = 12;
const anyTag = '*';

/**
 * A pattern in the one form that rules are stored in, or null where it is none: `a@b`, `a+*@b` (any tag), `@b` (the domain),
 * `@*.b` (its subdomains). In lower case, the domain in ASCII.
 */
export function canonicalPattern(text: string): string | null {
  const { local, host } = splitAddress(text.trim());
  if (!text.includes('@')) return null;
  if (local === '') {
    const isBelow = host.startsWith('*.');
    const name = isBelow ? host.slice(2) : host;
    const domain = isBelow && !name.includes('.') ? topLevel(name) : asciiDomain(name);
    return domain === null ? null : `@${isBelow ? '*.' : ''}${domain}`;
  }
  const tagged = local.endsWith(`+${anyTag}`) ? local.slice(0, -2) : null;
  const address = normalizeAddress(`${tagged ?? local}@${host}`);
  if (address === null || (tagged ?? local).includes('*')) return null;
  const key = addressKey(address);
  return tagged === null ? key : withAnyTag(key);
}

function topLevel(name: string): string | null {
  const domain = asciiDomain(`a.${name}`);
  return domain === null ? null : domain.slice(2);
}

function withAnyTag(key: string): string {
  const { local, host } = splitAddress(key);
  const plus = local.indexOf('+', 1);
  return `${plus < 0 ? local : local.slice(0, plus)}+${anyTag}@${host}`;
}

/** Every pattern that matches an address. */
export function patternsOf(address: string): string[] {
  const key = addressKey(address);
  const { local, host } = splitAddress(key);
  if (local === '' || host === '') return [];
  const labels = host.split('.').slice(-labelsMax);
  const parents = labels.slice(1).map((_, at) => `@*.${labels.slice(at + 1).join('.')}`);
  return [key, ...(local.indexOf('+', 1) < 0 ? [] : [withAnyTag(key)]), `@${host}`, ...parents];
}

/** The scopes of mail to an address, the narrowest first; those of a tier count the same. */
export function tiersOf(spaceId: SpaceId | null, recipient: string): (readonly RuleScope[])[] {
  const address = addressKey(recipient);
  return [
    [{ spaceId: null, address }, ...(spaceId ? [{ spaceId, address }] : [])],
    ...(spaceId ? [[{ spaceId, address: null }]] : []),
    [{ spaceId: null, address: null }],
  ];
}

/** What the rules of a tier say of a sender. */
export interface TierFindings {
  readonly blockedBy: InboundRuleId | null;
  readonly isAllowed: boolean;
  /** The tier has allow rules, whether they match or not. */
  readonly hasAllowRules: boolean;
}

/** What rules decide: the narrowest tier that says anything; in it, a block wins. */
export function decideByRules(tiers: readonly TierFindings[]): {
  readonly isBlocked: boolean;
  readonly ruleId: InboundRuleId | null;
} {
  for (const { blockedBy, isAllowed, hasAllowRules } of tiers) {
    if (blockedBy !== null) return { isBlocked: true, ruleId: blockedBy };
    if (isAllowed) return { isBlocked: false, ruleId: null };
    if (hasAllowRules) return { isBlocked: true, ruleId: null };
  }
  return { isBlocked: false, ruleId: null };
}

/** The id of a blocked message: the same when it arrives again. */
export function blockedEmailId(
  { workspaceId, spaceId }: { readonly workspaceId: WorkspaceId; readonly spaceId: SpaceId | null },
  fingerprint: string,
  to: readonly string[],
): BlockedEmailId {
  const source = [workspaceId, spaceId ?? 'none', fingerprint, ...to].join('\n');
  return `blk_${createHash('sha256').update(source).digest('hex').slice(0, 32)}` as BlockedEmailId;
}

const dayMs = 24 * 3_600_000;
export const blockedDays = 30;
/** The deletion of the raw message may be late by this. */
const lateDays = 14;

/** When a message that is blocked now can no longer be let in, and when its record goes. */
export function endsOfBlocked(createdAt: number): { readonly openUntil: number; readonly expiresAt: number } {
  const openUntil = createdAt + blockedDays * dayMs;
  return { openUntil, expiresAt: openUntil + lateDays * dayMs };
}
