/** All findings about a domain from answers of DNS (docs/concepts/domains.md#diagnostics). */
import type { Finding } from '../findings.ts';
import type { ExpectedRecord } from '../records.ts';
import { dkimFindings } from './dkim.ts';
import { dmarcFindings } from './dmarc.ts';
import type { DiagnosedDomain } from './domain.ts';
import { aliasFindings, answerFindings, existenceFinding } from './general.ts';
import { inboundFindings } from './inbound.ts';
import { returnPathFindings } from './return-path.ts';
import { domainSpfFindings, returnPathSpfFindings } from './spf.ts';
import { isUnanswered, type Query, readZone, type Zone, type ZoneAnswers } from './zone.ts';

export interface Diagnosis {
  /** Final where nothing is unanswered. */
  readonly findings: readonly Finding[];
  /** Questions whose answers the findings need; an answer may raise further questions. */
  readonly unanswered: readonly Query[];
}

/** Judges the answers so far. A question without an answer counts as one that DNS does not answer. */
export function diagnose(domain: DiagnosedDomain, answers: ZoneAnswers): Diagnosis {
  const zone = readZone(answers);
  const findings = findingsOf(domain, zone);
  return { findings, unanswered: zone.queries().filter((query) => isUnanswered(answers, query)) };
}

function findingsOf(domain: DiagnosedDomain, zone: Zone): Finding[] {
  const absent = existenceFinding(domain, zone);
  const aliases = aliasFindings(domain, zone);
  const ofRecords = domain.records
    .filter(({ name }) => !aliases.has(name))
    .flatMap((record) => recordFindings(record, domain, zone));
  const ofDomain = domainSpfFindings(domain, zone);
  if (absent) return [absent];
  return [...answerFindings(zone.queries()), ...aliases.values(), ...ofRecords, ...ofDomain];
}

function recordFindings(record: ExpectedRecord, domain: DiagnosedDomain, zone: Zone): Finding[] {
  switch (record.purpose) {
    case 'DKIM':
      return dkimFindings(record, zone);
    case 'RETURN_PATH':
      return returnPathFindings(record, zone);
    case 'SPF':
      return returnPathSpfFindings(record, zone);
    case 'DMARC':
      return dmarcFindings(record, domain, zone);
    case 'INBOUND':
      return inboundFindings(record, domain, zone);
  }
}
