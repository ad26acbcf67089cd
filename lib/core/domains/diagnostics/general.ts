/** Findings about the domain as a whole: its existence, its name servers, and CNAME records. */
import { parse } from 'tldts';
import { recordState } from '../dns-check.ts';
import { type Evidence, type Finding, finding } from '../findings.ts';
import { type ExpectedRecord, queriedName } from '../records.ts';
import type { DiagnosedDomain } from './domain.ts';
import { boundedEvidence, evidenceOf, fixWith, mxEvidence } from './presentation.ts';
import type { AnsweredQuery, Zone } from './zone.ts';

/** Mail servers wait for some seconds; several look-ups are made for each message. */
const slowMs = 2000;

/** The finding that the registered domain does not exist; then nothing else can be said. */
export function existenceFinding({ name, records }: DiagnosedDomain, zone: Zone): Finding | null {
  const registered = parse(name, { allowPrivateDomains: false, extractHostname: false }).domain ?? name;
  const isAbsent = zone.mx(registered).status === 'nxdomain';
  // A few name servers deny names that have records below them only.
  const hasRecords = records.some((record) => answerOf(zone, record).status === 'found');
  if (!isAbsent || hasRecords) return null;
  return finding('domain_nxdomain', {
    detail: `${registered} does not exist in DNS: it is not registered, has expired, or has no name servers.`,
    fix: fixWith(
      'Register the domain, or set its name servers at the registrar. Then publish these records:',
      ...records,
    ),
    evidence: mxEvidence(zone, registered),
  });
}

/** @param queries with their answers: those that other findings needed */
export function answerFindings(queries: readonly AnsweredQuery[]): Finding[] {
  const failing = queries.filter(({ answer }) => answer.status === 'failed');
  const slow = queries.filter(({ answer }) => answer.status !== 'failed' && answer.ms >= slowMs);
  const findings: Finding[] = [];
  if (failing.length > 0) {
    findings.push(
      finding('dns_failing', {
        detail:
          `DNS gave no usable answer for ${listed(failing)}. Receivers that get none delay or refuse mail. What these records ` +
          'say is unknown.',
        fix: 'Check the name servers of the domain and their delegation. If a host that an SPF record names fails, ask its owner.',
        evidence: evidenceOfQueries(failing),
      }),
    );
  }
  if (slow.length > 0) {
    const slowest = Math.max(...slow.map(({ answer }) => answer.ms));
    findings.push(
      finding('dns_slow', {
        detail: `The answer for ${listed(slow)} took up to ${Math.round(slowest)} ms. Receivers may give up before.`,
        fix: 'Check that every name server of the domain answers, over UDP and TCP.',
        evidence: evidenceOfQueries(slow),
      }),
    );
  }
  return findings;
}

const listedMax = 5;

function listed(queries: readonly AnsweredQuery[]): string {
  const more = queries.length > listedMax ? [`${queries.length - listedMax} more`] : [];
  return [...queries.slice(0, listedMax).map(({ type, name }) => `${type} ${name}`), ...more].join(', ');
}

function evidenceOfQueries(queries: readonly AnsweredQuery[]): Evidence[] {
  return boundedEvidence(
    queries.map(({ type, name, answer }) => ({
      name,
      type,
      result: answer.status,
      value: null,
      priority: null,
    })),
  );
}

/**
 * Findings about CNAME records at the names of `records`: no other record may be beside one (RFC 1034, 3.6.2). A CNAME is
 * no finding where its target has the records.
 *
 * @returns by name
 */
export function aliasFindings({ records }: DiagnosedDomain, zone: Zone): ReadonlyMap<string, Finding> {
  const findings = new Map<string, Finding>();
  for (const record of records) {
    const alias = zone.cname(queriedName(record));
    const [target] = alias.values;
    if (target === undefined || findings.has(record.name) || isPublishedAt(zone, record, target)) continue;
    const atName = records.filter(({ name }) => name === record.name);
    const detail =
      `${record.name} is an alias of ${target.slice(0, 255)}, which does not have the ${atName.map(({ type }) => type).join(' and ')} ` +
      'record. No other record may be beside a CNAME record (RFC 1034, 3.6.2): name servers ignore one of them.';
    findings.set(
      record.name,
      finding('cname_conflict', {
        purpose: record.purpose,
        detail,
        fix: fixWith('Delete the CNAME record (that of a wildcard may stay) and publish:', ...atName),
        evidence: [
          ...evidenceOf(record.name, 'CNAME', alias),
          ...evidenceOf(record.name, record.type, answerOf(zone, record)),
        ],
      }),
    );
  }
  return findings;
}

/** Whether the target of a CNAME has the record. @param target may be of anybody */
function isPublishedAt(zone: Zone, record: ExpectedRecord, target: string): boolean {
  const [txt, mx] = record.type === 'TXT' ? [zone.txt(target), null] : [null, zone.mx(target)];
  // Without an answer, the failed look-up is the finding.
  if ((txt ?? mx)?.status === 'failed') return true;
  return recordState(record, { txt: txt?.values ?? [], mx: mx?.values ?? [] }) === 'verified';
}

function answerOf(zone: Zone, record: ExpectedRecord) {
  const name = queriedName(record);
  return record.type === 'TXT' ? zone.txt(name) : zone.mx(name);
}
