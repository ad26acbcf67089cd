/** The result of a live check of a domain as version 1 reports it (docs/concepts/v1.md#domains). */
import type { ZoneAnswers } from './diagnostics/zone.ts';
import type { MailExchange } from './dns-answer.ts';
import { isDmarcPolicy } from './dns-check.ts';
import type { Finding, FindingId } from './findings.ts';
import { queriedName, type RecordPurpose } from './records.ts';
import { returnPathName } from './reserved.ts';
import type { DnsRecord, SendingDomain } from './sending-domain.ts';

export const dkimStatuses = ['Pending', 'Success', 'Failed', 'NotStarted', 'TemporaryFailure'] as const;
export type DkimStatus = (typeof dkimStatuses)[number];

export const dmarcSources = ['subdomain', 'parent', 'none'] as const;

export interface Verification {
  /** Of the ownership of the domain, which its DKIM record proves. */
  readonly verification: DkimStatus;
  /** Of signing: the record is published, and SES accepts the domain. */
  readonly dkimStatus: DkimStatus;
  readonly dns: {
    readonly domainVerification: boolean;
    readonly spf: boolean;
    readonly mx: {
      readonly found: boolean;
      readonly expectedPriority: number;
      readonly records: readonly MailExchange[];
    };
    /** By the name of the record: whether it is published. */
    readonly dkim: Readonly<Record<string, boolean>>;
    readonly dmarc: { readonly present: boolean; readonly source: (typeof dmarcSources)[number] };
    readonly mailFrom: { readonly domain: string; readonly mx: boolean; readonly spf: boolean };
  };
  readonly mxConflict: {
    readonly hasConflict: boolean;
    readonly conflictingRecords: readonly MailExchange[];
    /** Absent without a conflict. */
    readonly message?: string;
  };
  /** Whether mail of the domain is sent: its key is published and SES accepts it. */
  readonly ready: boolean;
  readonly debug: {
    readonly domain: string;
    /** Absent where the domain has no record of its own. */
    readonly expectedVerificationToken?: string;
    readonly actualVerificationTokens: readonly string[];
    readonly verificationTokenMatch: boolean;
  };
}

/** Whether SES accepts mail of a domain. */
export type Acceptance = 'ready' | 'pending' | 'failed';

/**
 * The verification of a domain with records.
 *
 * @param domain as it was just checked; for a subdomain, its wildcard
 * @param live the answers of DNS, and what they lack
 */
export function verificationOf(
  domain: SendingDomain,
  live: { readonly answers: ZoneAnswers; readonly findings: readonly Finding[] },
  acceptance: Acceptance,
): Verification {
  const { answers, findings } = live;
  const recordOf = (purpose: RecordPurpose) => domain.records.find((record) => record.purpose === purpose);
  const isFound = (purpose: RecordPurpose) => recordOf(purpose)?.state === 'verified';
  const [dkim, inbound] = [recordOf('DKIM'), recordOf('INBOUND')];
  const dkimAnswer = dkim && answers.TXT.get(dkim.name.toLowerCase());
  const exchanges = inbound ? (answers.MX.get(queriedName(inbound).toLowerCase())?.values ?? []) : [];
  const conflicting = exchanges.filter(({ exchange }) => exchange !== inbound?.value);
  const source = dmarcSourceOf(recordOf('DMARC'), live);
  return {
    ...statusesOf(dkim, dkimAnswer?.status === 'failed', acceptance),
    dns: {
      domainVerification: isFound('DKIM'),
      spf: isFound('SPF'),
      mx: {
        found: isFound('INBOUND'),
        expectedPriority: inbound?.priority ?? 0,
        records: exchanges,
      },
      dkim: dkim ? { [dkim.name]: isFound('DKIM') } : {},
      dmarc: { present: source !== 'none', source },
      mailFrom: { domain: returnPathName(domain.name), mx: isFound('RETURN_PATH'), spf: isFound('SPF') },
    },
    mxConflict: {
      hasConflict: conflicting.length > 0,
      conflictingRecords: conflicting,
      ...(conflicting.length > 0 && { message: conflictMessage(findings) }),
    },
    ready: domain.verifiedAt !== null && acceptance === 'ready',
    debug: {
      domain: domain.name,
      ...(dkim && { expectedVerificationToken: dkim.value }),
      actualVerificationTokens: dkimAnswer?.values ?? [],
      verificationTokenMatch: isFound('DKIM'),
    },
  };
}

/** The verification of a provided domain, whose records belong to the deployment. */
export function providedVerification({ name }: SendingDomain, acceptance: Acceptance): Verification {
  return {
    verification: 'Success',
    dkimStatus: acceptance === 'ready' ? 'Success' : 'Pending',
    dns: {
      domainVerification: true,
      spf: true,
      mx: { found: true, expectedPriority: 10, records: [] },
      dkim: {},
      dmarc: { present: true, source: 'parent' },
      mailFrom: { domain: name, mx: true, spf: true },
    },
    mxConflict: { hasConflict: false, conflictingRecords: [] },
    ready: acceptance === 'ready',
    debug: {
      domain: name,
      actualVerificationTokens: [],
      verificationTokenMatch: true,
    },
  };
}

function statusesOf(
  dkim: DnsRecord | undefined,
  isUnanswered: boolean,
  acceptance: Acceptance,
): Pick<Verification, 'verification' | 'dkimStatus'> {
  const both = (status: DkimStatus) => ({ verification: status, dkimStatus: status });
  if (!dkim) return both('NotStarted');
  if (isUnanswered) return both('TemporaryFailure');
  if (acceptance === 'failed') return both('Failed');
  if (dkim.state !== 'verified') return both('Pending');
  return { verification: 'Success', dkimStatus: acceptance === 'ready' ? 'Success' : 'Pending' };
}

/** The policy of a name is its own, else that of its organizational domain (RFC 7489, 6.6.3). */
function dmarcSourceOf(
  record: DnsRecord | undefined,
  { answers, findings }: { readonly answers: ZoneAnswers; readonly findings: readonly Finding[] },
): (typeof dmarcSources)[number] {
  const own = record ? (answers.TXT.get(record.name.toLowerCase())?.values ?? []) : [];
  if (own.some(isDmarcPolicy)) return 'subdomain';
  return findings.some(({ id }) => id === 'dmarc_inherited') ? 'parent' : 'none';
}

const conflictFindings: ReadonlySet<FindingId> = new Set([
  'mx_conflict',
  'mx_other_receiver',
  'mx_wrong_region',
  'mx_null',
]);

function conflictMessage(findings: readonly Finding[]): string {
  const found = findings.find(({ id }) => conflictFindings.has(id));
  return found ? `${found.title} ${found.detail}` : 'The MX records name another receiver, too.';
}
