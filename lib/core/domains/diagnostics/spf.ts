/**
 * Findings about SPF records (RFC 7208): that of the return path, which receivers check for mail from here, and that of
 * the domain itself, which other services use.
 */
import { type Finding, type FindingId, finding } from '../findings.ts';
import { type ExpectedRecord, spfInclude } from '../records.ts';
import type { DiagnosedDomain } from './domain.ts';
import { fixWith, txtEvidence, txtRecord } from './presentation.ts';
import {
  countedMax,
  evaluatedTerms,
  invalidTerms,
  parseSpf,
  type SpfCost,
  type SpfTerm,
  spfCost,
  spfLimits,
  spfPolicies,
} from './spf-policy.ts';
import type { Zone } from './zone.ts';

/** Findings about the SPF record of the return path. */
export function returnPathSpfFindings(record: ExpectedRecord, zone: Zone): Finding[] {
  const answer = zone.txt(record.name);
  if (answer.status === 'failed') return [];
  if (spfPolicies(answer).length > 0) return policyFindings(record.name, record, zone);
  return [
    finding('spf_missing', {
      detail: `There is no SPF record at ${record.name}: receivers cannot tell that Amazon SES may send for the domain.`,
      fix: fixWith('Publish this record:', record),
      evidence: txtEvidence(zone, record.name),
    }),
  ];
}

/** Findings about the SPF record of the domain itself, which needs none. */
export function domainSpfFindings({ name }: DiagnosedDomain, zone: Zone): Finding[] {
  const answer = zone.txt(name);
  return answer.status === 'failed' || spfPolicies(answer).length === 0
    ? []
    : policyFindings(name, null, zone);
}

/** @param expected null: another service's policy, which does not need to include SES */
function policyFindings(name: string, expected: ExpectedRecord | null, zone: Zone): Finding[] {
  const evidence = txtEvidence(zone, name);
  const found = (id: FindingId, detail: string, fix: string): Finding =>
    finding(id, { detail, fix, evidence });
  const replace = (policy: string) =>
    fixWith('Replace it with this record:', expected ?? txtRecord(name, policy));
  const [policy = '', ...others] = spfPolicies(zone.txt(name));
  if (others.length > 0) {
    const detail = `${name} has ${others.length + 1} SPF records. The result is then an error (RFC 7208, 4.5): none of them applies.`;
    const merged = expected ?? txtRecord(name, mergedPolicy([policy, ...others]));
    const fix = fixWith('Replace all of them with this one record:', merged);
    // It takes effect as soon as the other records are removed.
    const passesAll = [policy, ...others].some((one) => passesEverything(parseSpf(one)));
    return [
      found('spf_multiple', detail, fix),
      ...(passesAll ? [found('spf_pass_all', openTo(name), fix)] : []),
    ];
  }
  const terms = parseSpf(policy);
  const cost = spfCost(name, policy, zone);
  const findings: Finding[] = [];
  const invalid = [...invalidTerms(terms), ...cost.errors];
  if (invalid.length > 0) {
    const detail = `The result is an error (RFC 7208, 4.6 and 5.2), whoever sends: ${invalid.slice(0, 5).join('; ')}.`;
    findings.push(
      found(
        'spf_invalid',
        detail,
        expected ? replace('') : 'Correct or remove the terms that the detail names.',
      ),
    );
  }
  if (expected && !includesSes(terms)) {
    const detail = `The policy of ${name} does not include ${spfInclude}, or only after "all": mail from here fails SPF.`;
    findings.push(found('spf_include_missing', detail, replace('')));
  }
  if (passesEverything(terms)) {
    const fix = replace(policy.replace(/(^|\s)\+?all(?=\s|$)/i, '$1~all'));
    findings.push(found('spf_pass_all', openTo(name), fix));
  }
  return [...findings, ...costFindings(name, cost, expected, found)];
}

function costFindings(
  name: string,
  cost: SpfCost,
  expected: ExpectedRecord | null,
  found: (id: FindingId, detail: string, fix: string) => Finding,
): Finding[] {
  const advice = (text: string) => (expected ? fixWith('Replace it with this record:', expected) : text);
  if (cost.loop !== null || cost.lookups > spfLimits.lookups) {
    const reason =
      cost.loop === null ? `${countOf(cost)}: ${perTerm(cost)}` : `policies include each other: ${cost.loop}`;
    const detail =
      `An evaluation for ${name} may make ${spfLimits.lookups} look-ups (RFC 7208, 4.6.4); ${reason}. The result is an ` +
      'error, whoever sends.';
    const fix = advice(
      'Remove terms of services that no longer send, or replace a, mx and include terms by ip4 and ip6.',
    );
    return [found('spf_too_many_lookups', detail, fix)];
  }
  if (cost.voids.length <= spfLimits.voids) return [];
  const detail =
    `These terms of the policy of ${name} find nothing: ${cost.voids.join(', ')}. More than ${spfLimits.voids} are an ` +
    'error (RFC 7208, 4.6.4).';
  return [found('spf_void_lookups', detail, advice('Remove these terms.'))];
}

const countOf = ({ lookups }: SpfCost): string =>
  lookups >= countedMax ? `it makes ${countedMax} or more` : `it makes ${lookups}`;

const perTerm = ({ terms }: SpfCost): string =>
  terms
    .slice(0, 12)
    .map(({ text, lookups }) => `${text} ${lookups}`)
    .join(', ');

function includesSes(terms: readonly SpfTerm[]): boolean {
  return evaluatedTerms(terms).some(
    ({ name, value, qualifier }) => name === 'include' && value === spfInclude && qualifier === '+',
  );
}

const openTo = (name: string): string =>
  `With +all, mail of every server passes SPF for ${name}, so that anybody can send in its name.`;

const isPassAll = ({ name, qualifier }: SpfTerm): boolean => name === 'all' && qualifier === '+';

const passesEverything = (terms: readonly SpfTerm[]): boolean => evaluatedTerms(terms).some(isPassAll);

/** One policy with the terms of all; `all` is that of the first which has one, but not `+all`. */
function mergedPolicy(policies: readonly string[]): string {
  const terms = policies.flatMap(parseSpf);
  const all = terms.find((term) => term.name === 'all' && !isPassAll(term))?.text ?? '~all';
  const others = terms.filter(({ name }) => name !== 'all' && name !== 'redirect').map(({ text }) => text);
  return ['v=spf1', ...new Set(others), all].join(' ').slice(0, 1024);
}
