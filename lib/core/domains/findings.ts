/** Findings about a domain: what they are called, and how serious each is (docs/concepts/domains.md#findings). */
import type { DnsAnswer } from './dns-answer.ts';
import type { RecordPurpose } from './records.ts';
import type { IdentityFindingId, SesIdentity } from './sender-domain.ts';

/** `breaking`: mail is not sent or not received; `risk`: mail may be refused or lost; `tip`: an improvement. */
export const findingSeverities = ['breaking', 'risk', 'tip'] as const;
/** Whether a finding matters while the records are being published, once the domain is verified, or both. */
export const findingTimes = ['adding', 'added', 'both'] as const;
export const evidenceTypes = ['TXT', 'MX', 'CNAME', 'A'] as const;
export const evidenceResults = ['found', 'none', 'nxdomain', 'failed'] as const;

interface FindingKind {
  readonly severity: (typeof findingSeverities)[number];
  readonly when: (typeof findingTimes)[number];
  /** null: about the domain, or about a record that the finding names. */
  readonly purpose: RecordPurpose | null;
  readonly title: string;
}

const kind = (
  severity: FindingKind['severity'],
  when: FindingKind['when'],
  purpose: RecordPurpose | null,
  title: string,
): FindingKind => ({ severity, when, purpose, title });

const kinds = {
  identity_refused: kind('breaking', 'added', 'DKIM', 'Amazon SES does not accept the domain.'),
  identity_not_verified: kind('breaking', 'added', 'DKIM', 'Amazon SES has not found the DKIM record.'),

  domain_nxdomain: kind('breaking', 'both', null, 'The domain does not exist in DNS.'),
  dns_failing: kind('breaking', 'both', null, 'DNS does not answer for the domain.'),
  dns_slow: kind('risk', 'both', null, 'DNS answers slowly for the domain.'),
  cname_conflict: kind('breaking', 'both', null, 'A CNAME record is at the name of another record.'),

  dkim_missing: kind('breaking', 'both', 'DKIM', 'The DKIM record is missing.'),
  dkim_other_key: kind('breaking', 'both', 'DKIM', 'The DKIM record has another key.'),
  dkim_split: kind('breaking', 'both', 'DKIM', 'The DKIM record is split wrongly.'),
  dkim_multiple: kind('breaking', 'both', 'DKIM', 'There is more than one DKIM record.'),
  dkim_invalid: kind('breaking', 'both', 'DKIM', 'The DKIM record has tags that do not allow its use.'),

  return_path_missing: kind('risk', 'both', 'RETURN_PATH', 'The MX record of the return path is missing.'),
  return_path_elsewhere: kind('risk', 'both', 'RETURN_PATH', 'The return path points elsewhere.'),
  return_path_multiple: kind('risk', 'both', 'RETURN_PATH', 'The return path has more than one MX record.'),
  return_path_wrong_region: kind('risk', 'both', 'RETURN_PATH', 'The return path points to another region.'),
  return_path_wrong_priority: kind(
    'tip',
    'both',
    'RETURN_PATH',
    'The MX record of the return path has another priority.',
  ),

  spf_missing: kind('risk', 'both', 'SPF', 'The SPF record is missing.'),
  spf_multiple: kind('risk', 'both', 'SPF', 'There is more than one SPF record.'),
  spf_invalid: kind('risk', 'both', 'SPF', 'The SPF record is invalid.'),
  spf_include_missing: kind('risk', 'both', 'SPF', 'The SPF record does not include Amazon SES.'),
  spf_pass_all: kind('risk', 'both', 'SPF', 'The SPF record lets everybody send.'),
  spf_too_many_lookups: kind('risk', 'both', 'SPF', 'The SPF record needs too many DNS look-ups.'),
  spf_void_lookups: kind('risk', 'both', 'SPF', 'The SPF record names too many hosts that do not exist.'),

  dmarc_missing: kind('risk', 'both', 'DMARC', 'The DMARC record is missing.'),
  dmarc_multiple: kind('risk', 'both', 'DMARC', 'There is more than one DMARC record.'),
  dmarc_invalid: kind('risk', 'both', 'DMARC', 'The DMARC record is invalid.'),
  dmarc_inherited: kind('tip', 'both', 'DMARC', 'The DMARC policy is that of the parent domain.'),
  dmarc_policy_none: kind('tip', 'added', 'DMARC', 'The DMARC policy is p=none.'),
  dmarc_strict_alignment: kind('risk', 'both', 'DMARC', 'The DMARC policy refuses mail of subdomains.'),

  mx_missing: kind('risk', 'both', 'INBOUND', 'The inbound MX record is missing.'),
  mx_null: kind('breaking', 'both', 'INBOUND', 'The domain says that it receives no mail.'),
  mx_other_receiver: kind('risk', 'both', 'INBOUND', 'Mail of the domain goes to another receiver.'),
  mx_conflict: kind('breaking', 'both', 'INBOUND', 'The MX records name another receiver, too.'),
  mx_wrong_region: kind('breaking', 'both', 'INBOUND', 'The inbound MX record names another region.'),
  mx_wrong_priority: kind('tip', 'both', 'INBOUND', 'The inbound MX record has another priority.'),
  wildcard_shadowed: kind('risk', 'both', 'INBOUND', 'An explicit record hides the wildcard.'),
} as const satisfies Readonly<Record<string, FindingKind>>;

export type FindingId = keyof typeof kinds;

const isFindingId = (id: string): id is FindingId => id in kinds;
export const findingIds = Object.keys(kinds).filter(isFindingId);

/** A record as found, or a question that found none: then `value` is null. */
export interface Evidence {
  /** Without a final dot. */
  readonly name: string;
  readonly type: (typeof evidenceTypes)[number];
  readonly result: DnsAnswer<never>['status'];
  readonly value: string | null;
  /** Of MX records. */
  readonly priority: number | null;
}

export interface Finding extends FindingKind {
  readonly id: FindingId;
  /** What was found and why it matters. */
  readonly detail: string;
  /** What to do; records to publish follow on lines of their own, in the format of a zone file. */
  readonly fix: string;
  readonly evidence: readonly Evidence[];
}

/** A finding with the severity, phase, purpose and title of its kind. */
export function finding(
  id: FindingId,
  about: Pick<Finding, 'detail' | 'fix' | 'evidence'> & { readonly purpose?: RecordPurpose },
): Finding {
  return { id, ...kinds[id], ...about };
}

const identityFixes: Readonly<Record<IdentityFindingId, string>> = {
  identity_refused: 'Correct what the detail names, then verify the domain again.',
  identity_not_verified:
    'Check that the DKIM record is the same on all name servers of the domain, then verify the domain again.',
};

/** The finding of an identity that failed; null where there is none. */
export function identityFinding({ failure }: Pick<SesIdentity, 'failure'>): Finding | null {
  return (
    failure && finding(failure.id, { detail: failure.detail, fix: identityFixes[failure.id], evidence: [] })
  );
}
