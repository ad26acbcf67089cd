/** Findings about the DMARC record (RFC 7489, 6.3 and 6.6.3). */
import { getDomain } from 'tldts';
import { isDmarcPolicy, parseTags } from '../dns-check.ts';
import { type Finding, finding } from '../findings.ts';
import type { ExpectedRecord } from '../records.ts';
import type { DiagnosedDomain } from './domain.ts';
import { fixWith, txtEvidence, txtRecord } from './presentation.ts';
import type { Zone } from './zone.ts';

export function dmarcFindings(record: ExpectedRecord, domain: DiagnosedDomain, zone: Zone): Finding[] {
  const { status, values } = zone.txt(record.name);
  if (status === 'failed') return [];
  const evidence = txtEvidence(zone, record.name);
  const policies = values.filter(isDmarcPolicy);
  const [policy] = policies;
  if (policies.length > 1) {
    const detail = `There are ${policies.length} DMARC records, so that none applies (RFC 7489, 6.6.3).`;
    const fix = fixWith('Delete all but one, such as:', txtRecord(record.name, policy ?? record.value));
    return [finding('dmarc_multiple', { detail, fix, evidence })];
  }
  if (policy !== undefined) return policyFindings(record, policy, domain, zone);
  if (values.some(isAttempt)) {
    const detail = 'A DMARC record begins with v=DMARC1 (RFC 7489, 6.3). Receivers ignore this one.';
    return [finding('dmarc_invalid', { detail, fix: replaceWith(record), evidence })];
  }
  return [inheritedOrMissing(record, domain, zone)].flatMap((found) => found ?? []);
}

/** A TXT record that was meant as a policy. */
const isAttempt = (value: string): boolean => /dmarc1|^\s*"?p\s*=/i.test(value);

const replaceWith = (record: ExpectedRecord): string => fixWith('Replace it with this record:', record);

function policyFindings(
  record: ExpectedRecord,
  policy: string,
  domain: DiagnosedDomain,
  zone: Zone,
): Finding[] {
  const evidence = txtEvidence(zone, record.name);
  const tags = parseTags(policy);
  const invalid = invalidTags(tags);
  if (invalid.length > 0) {
    const detail = `These tags are missing or invalid: ${invalid.join(', ')} (RFC 7489, 6.3). Receivers may ignore the policy.`;
    return [finding('dmarc_invalid', { detail, fix: replaceWith(record), evidence })];
  }
  return [
    ...(domain.wildcard && tags.get('adkim')?.toLowerCase() === 's'
      ? [strictAlignment(record, policy, zone)]
      : []),
    ...(tags.get('p')?.toLowerCase() === 'none' ? [policyNone(record, policy, zone)] : []),
  ];
}

function strictAlignment(record: ExpectedRecord, policy: string, zone: Zone): Finding {
  const relaxed = policy.replace(/\badkim\s*=\s*s/i, 'adkim=r');
  return finding('dmarc_strict_alignment', {
    detail:
      'With adkim=s, the signature must be of the very domain in From. Mail of names below the wildcard is signed with ' +
      'the domain itself, so that it fails DMARC (RFC 7489, 3.1.1).',
    fix: fixWith('Publish the policy with relaxed alignment:', txtRecord(record.name, relaxed)),
    evidence: txtEvidence(zone, record.name),
  });
}

function policyNone(record: ExpectedRecord, policy: string, zone: Zone): Finding {
  const stricter = policy.replace(/\bp\s*=\s*none/i, 'p=quarantine');
  return finding('dmarc_policy_none', {
    detail:
      'With p=none, receivers deliver mail that others forge in the name of the domain. It is the right policy for a ' +
      'beginning.',
    fix: fixWith(
      'When all services that send for the domain pass DMARC, publish:',
      txtRecord(record.name, stricter),
    ),
    evidence: txtEvidence(zone, record.name),
  });
}

const policyValue = /^(?:none|quarantine|reject)$/i;
const alignment = /^[rs]$/i;
/** Reports go to URIs; one may end in a size such as `!10m`. */
const uris = /^[a-z][a-z0-9+.-]*:[^,]+(?:,[a-z][a-z0-9+.-]*:[^,]+)*$/i;

/** By tag: its valid values. Only `p` is required; unknown tags are ignored. */
const valid: Readonly<Record<string, RegExp>> = {
  p: policyValue,
  sp: policyValue,
  adkim: alignment,
  aspf: alignment,
  pct: /^(?:\d{1,2}|100)$/,
  rua: uris,
  ruf: uris,
};

function invalidTags(tags: ReadonlyMap<string, string>): string[] {
  return Object.entries(valid).flatMap(([name, pattern]) => {
    const value = tags.get(name);
    if (value === undefined) return name === 'p' ? ['p'] : [];
    return pattern.test(value) ? [] : [`${name}=${value.slice(0, 40)}`];
  });
}

/** Without a policy of its own, a name has the policy of its organizational domain (RFC 7489, 6.6.3). */
function inheritedOrMissing(record: ExpectedRecord, { name }: DiagnosedDomain, zone: Zone): Finding | null {
  const organization = organizationalDomain(name);
  const own = txtEvidence(zone, record.name);
  const publish = fixWith('Publish this record:', record);
  const missing = finding('dmarc_missing', {
    detail: `There is no DMARC record at ${record.name}. Large receivers require one of those who send much mail.`,
    fix: publish,
    evidence: own,
  });
  if (organization === name) return missing;
  const above = `_dmarc.${organization}`;
  const { status, values } = zone.txt(above);
  if (status === 'failed') return null;
  const [policy, ...others] = values.filter(isDmarcPolicy);
  if (policy === undefined || others.length > 0) {
    return { ...missing, evidence: [...own, ...txtEvidence(zone, above)] };
  }
  const tags = parseTags(policy);
  const applied = tags.has('sp') ? `sp=${tags.get('sp')}` : `p=${tags.get('p') ?? ''}`;
  return finding('dmarc_inherited', {
    detail: `${name} has no DMARC record, so that ${applied.slice(0, 40)} of ${organization} applies (RFC 7489, 6.6.3).`,
    fix: fixWith('Nothing, if that is the policy you want. A policy of its own:', record),
    evidence: [...own, ...txtEvidence(zone, above)],
  });
}

/** The organizational domain (RFC 7489, 3.2); the name itself where it has none. */
function organizationalDomain(name: string): string {
  return getDomain(name, { allowPrivateDomains: true, extractHostname: false }) ?? name;
}
