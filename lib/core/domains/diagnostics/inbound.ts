/** Findings about the MX records that receive mail (RFC 5321, 5.1; RFC 7505; RFC 4592). */
import type { MailExchange } from '../dns-answer.ts';
import { type Finding, type FindingId, finding } from '../findings.ts';
import { type ExpectedRecord, queriedName } from '../records.ts';
import type { DiagnosedDomain } from './domain.ts';
import { boundedEvidence, evidenceOf, fixWith, mxEvidence } from './presentation.ts';
import type { Zone } from './zone.ts';

const hostOfAnyRegion = /^inbound-smtp\.[a-z0-9-]+\.amazonaws\.com$/;

export function inboundFindings(record: ExpectedRecord, domain: DiagnosedDomain, zone: Zone): Finding[] {
  const answer = zone.mx(queriedName(record));
  if (answer.status === 'failed') return [];
  const evidence = evidenceOf(record.name, 'MX', answer);
  const found = exchangeFinding(record, answer.values);
  if (found !== null) return [finding(found.id, { ...found, evidence })];
  return domain.wildcard ? shadowFindings(record, domain, zone) : [];
}

type Found = Pick<Finding, 'id' | 'detail' | 'fix'>;

/** What is wrong with the MX records of a name; null for nothing. */
function exchangeFinding(record: ExpectedRecord, exchanges: readonly MailExchange[]): Found | null {
  const found = (id: FindingId, detail: string, advice: string): Found => ({
    id,
    detail,
    fix: fixWith(advice, record),
  });
  const ours = exchanges.filter(({ exchange }) => exchange === record.value);
  const others = exchanges.filter(({ exchange }) => exchange !== record.value);
  const [other] = others;
  if (other === undefined) {
    if (ours.length === 0) {
      const detail = `There is no MX record at ${record.name}: mail to the domain, replies included, is not received.`;
      return found('mx_missing', detail, 'To receive mail, publish this record:');
    }
    if (ours.some(({ priority }) => priority === record.priority)) return null;
    const detail = `The priority is ${ours[0]?.priority}, and not ${record.priority}. Mail is received none the less.`;
    return found('mx_wrong_priority', detail, 'Replace it with this record:');
  }
  if (others.every(({ exchange }) => exchange === '' || exchange === '.') && ours.length === 0) {
    const detail = 'A null MX record (RFC 7505): senders return mail to the domain at once.';
    return found('mx_null', detail, 'To receive mail, replace it with this record:');
  }
  const names = others
    .map(({ exchange }) => exchange || '.')
    .join(', ')
    .slice(0, 300);
  if (ours.length > 0) {
    const detail =
      `The records name ${names} beside ${record.value}. Senders use the lowest priority, and any of equal ones: a part ` +
      'or all of the mail goes to the other receiver.';
    return found('mx_conflict', detail, 'Keep only this record, or receive on a subdomain of its own:');
  }
  if (others.every(({ exchange }) => hostOfAnyRegion.test(exchange))) {
    const detail = `The record names ${names}. Amazon SES refuses mail of the domain in that region.`;
    return found('mx_wrong_region', detail, 'Replace it with this record:');
  }
  const detail =
    `Mail goes to ${names}. With the inbound record beside these, each message would go to one of the two receivers. ` +
    'Sending does not need the inbound record.';
  const advice =
    'To receive all mail of the domain here, replace the records with this one. To keep the other receiver, add a ' +
    'subdomain as a domain of its own:';
  return found('mx_other_receiver', detail, advice);
}

/** A wildcard answers for names that do not exist; any record at a name makes it exist (RFC 4592, 2.2.1). */
function shadowFindings(record: ExpectedRecord, { subdomains }: DiagnosedDomain, zone: Zone): Finding[] {
  const shadowed = subdomains.filter((name) => {
    const { status, values } = zone.mx(name);
    return status !== 'failed' && !values.some(({ exchange }) => exchange === record.value);
  });
  if (shadowed.length === 0) return [];
  const records = shadowed.map((name) => ({ ...record, name }));
  return [
    finding('wildcard_shadowed', {
      detail:
        `The records of ${shadowed.join(', ')} hide ${record.name} there (RFC 4592, 2.2.1): mail to addresses of that name ` +
        'is not received.',
      fix: fixWith('Publish an MX record at each such name:', ...records),
      evidence: boundedEvidence(
        shadowed.flatMap((name) => [...mxEvidence(zone, name), ...evidenceOf(name, 'A', zone.a(name))]),
      ),
    }),
  ];
}
