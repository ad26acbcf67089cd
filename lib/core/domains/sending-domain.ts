/** Mail domains of a workspace: verification, rechecks and loss (docs/concepts/domains.md). */

import type { DnsRecordId, DomainId, SpaceId } from '../ids.ts';
import type { ExpectedRecord } from './records.ts';

export const recordStates = ['pending', 'verified', 'missing'] as const;
export type RecordState = (typeof recordStates)[number];

/** A record to publish, with the result of the last check. */
export type DnsRecord = ExpectedRecord & {
  readonly id: DnsRecordId;
  readonly state: RecordState;
  readonly lastCheckedAt: number | null;
};

export interface SendingDomain {
  readonly id: DomainId;
  /** ASCII form, without a wildcard's `*.`. */
  readonly name: string;
  readonly wildcard: boolean;
  readonly region: string;
  readonly spaceId: SpaceId | null;
  /** The wildcard domain of a subdomain. */
  readonly parentId: DomainId | null;
  readonly provided: boolean;
  readonly verifiedAt: number | null;
  readonly createdAt: number;
  readonly tracking: { readonly opens: boolean; readonly clicks: boolean };
  readonly records: readonly DnsRecord[];
  /** Since when, and for how many checks in a row, the DKIM record of a verified domain is missing. */
  readonly missing: { readonly since: number; readonly checks: number } | null;
  /** Time of the next background check; null for none. */
  readonly nextCheckAt: number | null;
  /** Raised by each change; writers compare it. */
  readonly version: number;
}

/** The name as the API shows it. */
export function displayName(domain: Pick<SendingDomain, 'name' | 'wildcard'>): string {
  return domain.wildcard ? `*.${domain.name}` : domain.name;
}

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/**
 * Time of the next background check: hourly for 3 days while pending, else daily (docs/concepts/domains.md#rechecks).
 *
 * @param atMs time of this check; Unix milliseconds
 */
export function nextCheckAfter(
  domain: Pick<SendingDomain, 'verifiedAt' | 'createdAt'>,
  atMs: number,
): number {
  const isYoung = domain.verifiedAt === null && atMs - domain.createdAt < 3 * dayMs;
  return atMs + (isYoung ? hourMs : dayMs);
}

const lostAfterChecks = 3;
const lostAfterMs = 72 * hourMs;

/**
 * The change by a check of the DKIM record (docs/concepts/domains.md#loss-of-a-domain). A check without an answer of DNS
 * (`unknown`) changes nothing.
 */
export function afterCheck(
  before: Pick<SendingDomain, 'verifiedAt' | 'missing'>,
  dkim: 'verified' | 'missing' | 'unknown',
  atMs: number,
): Pick<SendingDomain, 'verifiedAt' | 'missing'> & {
  readonly event: 'domain.verified' | 'domain.lost' | null;
} {
  if (dkim === 'unknown') return { ...before, event: null };
  if (dkim === 'verified') {
    const isNew = before.verifiedAt === null;
    return {
      verifiedAt: before.verifiedAt ?? atMs,
      missing: null,
      event: isNew ? 'domain.verified' : null,
    };
  }
  if (before.verifiedAt === null) return { ...before, event: null };
  const missing = {
    since: before.missing?.since ?? atMs,
    checks: (before.missing?.checks ?? 0) + 1,
  };
  const isLost = missing.checks >= lostAfterChecks && atMs - missing.since >= lostAfterMs;
  return isLost
    ? { verifiedAt: null, missing: null, event: 'domain.lost' }
    : { verifiedAt: before.verifiedAt, missing, event: null };
}
