/** Evidence and fixes of findings: records as found, and records to publish in the format of a zone file (RFC 1035, 5.1). */
import type { MailExchange, TimedAnswer } from '../dns-answer.ts';
import type { Evidence } from '../findings.ts';
import type { ExpectedRecord } from '../records.ts';
import type { QueryType, Zone } from './zone.ts';

const evidenceMax = 10;
const characters = 512;

/** The records of an answer, or that there is none. */
export function evidenceOf(
  name: string,
  type: QueryType,
  answer: TimedAnswer<string | MailExchange>,
): Evidence[] {
  const { status: result, values } = answer;
  if (values.length === 0) return [{ name, type, result, value: null, priority: null }];
  return values.slice(0, evidenceMax).map((found) =>
    typeof found === 'string'
      ? { name, type, result, value: found.slice(0, characters), priority: null }
      : // `.` is the host of a null MX (RFC 7505).
        { name, type, result, value: found.exchange.slice(0, characters) || '.', priority: found.priority },
  );
}

export const txtEvidence = (zone: Zone, name: string): Evidence[] => evidenceOf(name, 'TXT', zone.txt(name));
export const mxEvidence = (zone: Zone, name: string): Evidence[] => evidenceOf(name, 'MX', zone.mx(name));

/** Evidence of several answers, bounded as a whole. */
export function boundedEvidence(evidence: readonly Evidence[]): Evidence[] {
  return evidence.slice(0, 2 * evidenceMax);
}

/** The parts of a record that a zone file has. */
type PublishedRecord = Pick<ExpectedRecord, 'type' | 'name' | 'value' | 'priority' | 'ttl'>;

/** What to do, followed by the records to publish. */
export function fixWith(advice: string, ...records: readonly PublishedRecord[]): string {
  return [advice, ...records.map(recordLine)].join('\n');
}

/** A TXT record for a fix. */
export function txtRecord(name: string, value: string): PublishedRecord {
  return { type: 'TXT', name, value, priority: null, ttl: 3600 };
}

function recordLine({ type, name, value, priority, ttl }: PublishedRecord): string {
  const data = type === 'MX' ? `${priority} ${value}.` : quotedStrings(value);
  return `${name}. ${ttl} IN ${type} ${data}`;
}

const stringCharacters = 255;

/** A TXT value in strings of at most 255 characters (RFC 1035, 3.3.14), which belong to one record. */
function quotedStrings(value: string): string {
  const count = Math.max(1, Math.ceil(value.length / stringCharacters));
  const strings = Array.from({ length: count }, (_, at) =>
    value.slice(at * stringCharacters, (at + 1) * stringCharacters),
  );
  return strings.map((text) => `"${text.replace(/["\\]/g, '\\$&')}"`).join(' ');
}
