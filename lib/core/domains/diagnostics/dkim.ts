/** Findings about the DKIM record (RFC 6376, 3.6). */
import { parseTags } from '../dns-check.ts';
import { type Finding, finding } from '../findings.ts';
import type { ExpectedRecord } from '../records.ts';
import { fixWith, txtEvidence } from './presentation.ts';
import type { Zone } from './zone.ts';

/** At most one finding: the first that explains why the key cannot be used. */
export function dkimFindings(record: ExpectedRecord, zone: Zone): Finding[] {
  const { status, values } = zone.txt(record.name);
  if (status === 'failed') return [];
  const evidence = txtEvidence(zone, record.name);
  const only = fixWith('Publish this record, and no other TXT record at its name:', record);
  const split = splitProblem(record.value, values);
  if (split !== null) {
    const fix = fixWith(
      'Publish one TXT record. Its value may be in several quoted strings, which belong to the one record:',
      record,
    );
    return [finding('dkim_split', { detail: split, fix, evidence })];
  }
  const key = parseTags(record.value).get('p');
  const published = values.map(parseTags).filter((tags) => tags.has('p'));
  if (published.length === 0) {
    const detail = `There is no key at ${record.name}. The domain is not verified without it, and cannot send.`;
    return [finding('dkim_missing', { detail, fix: fixWith('Publish this record:', record), evidence })];
  }
  const ours = published.filter((tags) => tags.get('p') === key);
  if (ours.length === 0) {
    const isRevoked = published.some((tags) => tags.get('p') === '');
    const found = isRevoked ? 'The record has an empty key, which revokes it' : 'The record has another key';
    const detail = `${found} (RFC 6376, 3.6.1): signatures of the domain's mail do not verify.`;
    return [finding('dkim_other_key', { detail, fix: only, evidence })];
  }
  if (published.length > 1) {
    const detail = `There are ${published.length} keys at ${record.name}: the result of a verification is undefined (RFC 6376, 3.6.2.2).`;
    return [finding('dkim_multiple', { detail, fix: only, evidence })];
  }
  const wrong = ours.flatMap(unusableTags);
  if (wrong.length === 0) return [];
  const detail = `The key is right, but these tags do not allow its use for mail: ${wrong.join(', ')} (RFC 6376, 3.6.1).`;
  return [finding('dkim_invalid', { detail, fix: only, evidence })];
}

/** Values of tags, by name, that allow the use of an RSA key for mail; an absent tag allows it. */
const usable: Readonly<Record<string, RegExp>> = {
  v: /^DKIM1$/,
  k: /^rsa$/i,
  h: /(?:^|:)sha256(?::|$)/i,
  s: /(?:^|:)(?:\*|email)(?::|$)/i,
};

function unusableTags(tags: ReadonlyMap<string, string>): string[] {
  return Object.entries(usable).flatMap(([name, pattern]) => {
    const value = tags.get(name);
    return value === undefined || pattern.test(value) ? [] : [`${name}=${value.slice(0, 40)}`];
  });
}

/** A shorter piece, such as the tags before the key, says nothing about where it comes from. */
const pieceCharactersMin = 40;

/** What is wrong with how the value was split; null where it is whole, or where another value was published. */
function splitProblem(expected: string, values: readonly string[]): string | null {
  const whole = compact(expected);
  const pieces = values.map(compact);
  if (values.some((value) => parsedWhole(value) === whole)) return null;
  if (pieces.includes(whole)) {
    return 'The quotation marks of the strings, or escapes, are part of the value.';
  }
  const isPiece = (piece: string) => piece.length >= pieceCharactersMin && whole.includes(piece);
  const [first, ...others] = pieces.filter(isPiece);
  if (first === undefined) return null;
  if (others.length > 0) {
    return `The value is in ${others.length + 1} TXT records. Their order is undefined, and verifiers read one record.`;
  }
  return whole.startsWith(first)
    ? `The value ends after ${first.length} of ${whole.length} characters.`
    : `The record has only a part of the value: ${first.length} of ${whole.length} characters.`;
}

/** A value as verifiers read it, without white space and escaped semicolons. */
const parsedWhole = (value: string): string =>
  value.replaceAll('\\;', ';').replace(/\s+/g, '').replace(/;$/, '');

/** A value without what split it: quotation marks, backslashes, white space. */
const compact = (value: string): string => value.replace(/["\\\s]+/g, '').replace(/;$/, '');
