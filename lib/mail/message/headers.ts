/** Header parsing: finding, unfolding and decoding fields (RFC 5322 2.2, RFC 2047). */
import { isAscii } from 'node:buffer';
import { decodeWords } from 'postal-mime';
import { decodeBytes, recodeEncodedWords } from '../text/charsets.ts';
import { bufferOf, carriageReturn, lineFeed, space, tab } from '../text/octets.ts';
import { headerEnd, lineAfter } from './header-end.ts';

export interface Header {
  readonly name: string;
  readonly value: string;
}

/** Unfolded fields, encoded words not decoded, and the position of the body. */
export interface HeaderBlock {
  readonly fields: readonly Header[];
  /** Byte offset of the body; the message's length if it has none. */
  readonly bodyStart: number;
  /** Byte offset of the end of the last field. */
  readonly end: number;
}

const fieldStart = /^([\x21-\x39\x3b-\x7e]+)[ \t]*:/;
/** Fields beyond these bounds are skipped. */
const fieldsMax = 10_000;
/** Longer values are cut before they are decoded. */
const valueCharactersMax = 64 * 1024;
const headerBytesMax = 4 * 1024 * 1024;

/** Begins a shift of ISO-2022-JP. */
const shiftByte = 0x1b;

/**
 * Reads the header block of `raw`, whose lines end in LF or CRLF. Lines that are not fields are skipped (the `From ` of an
 * mbox, stray text); if no field follows, they belong to the body.
 *
 * @param charset charset of bytes that are not valid UTF-8
 */
export function readHeaders(raw: Uint8Array, charset: string): HeaderBlock {
  const bytes = bufferOf(raw);
  const { end: headerEndsAt, bodyAt } = headerEnd(bytes, 0);
  const lineText = lineReader(bytes.subarray(0, headerEndsAt), charset);
  const fields: Header[] = [];
  let parts: string[] = [];
  const close = (end: number) => {
    const isKept = parts.length > 0 && end <= headerBytesMax && fields.length < fieldsMax;
    const field = isKept ? fieldOf(parts) : null;
    if (field !== null) fields.push(field);
    parts = [];
  };
  for (let at = 0; at < headerEndsAt; ) {
    const next = lineAfter(bytes, at);
    let end = next;
    while (end > at && (bytes[end - 1] === lineFeed || bytes[end - 1] === carriageReturn)) end--;
    if (bytes[at] !== space && bytes[at] !== tab) close(at);
    if (end > at) parts.push(lineText(at, end));
    at = next;
  }
  close(headerEndsAt);
  return { fields, bodyStart: bodyAt, end: headerEndsAt };
}

/** Reads lines of a header: most are ASCII as a whole. */
function lineReader(header: Buffer, charset: string): (at: number, end: number) => string {
  if (isPlainAscii(header)) {
    const text = header.toString('latin1');
    return (at, end) => text.slice(at, end);
  }
  return (at, end) => {
    const line = header.subarray(at, end);
    return isPlainAscii(line) ? line.toString('latin1') : decodeBytes(line, charset);
  };
}

function isPlainAscii(bytes: Buffer): boolean {
  return isAscii(bytes) && !bytes.includes(shiftByte);
}

/** The raw value of the first field of that name (lower case), or null. */
export function firstHeaderValue(fields: readonly Header[], name: string): string | null {
  return fields.find((field) => field.name.toLowerCase() === name)?.value ?? null;
}

/** The raw values of every field of that name (lower case), in order. */
export function headerValues(fields: readonly Header[], name: string): string[] {
  return fields.filter((field) => field.name.toLowerCase() === name).map((field) => field.value);
}

/**
 * The envelope sender of a received message, which the receiver notes on top (RFC 5321, 4.4; "Notification examples" of SES
 * email receiving); empty for a null return path.
 */
export function returnPathOf(fields: readonly Header[]): string {
  return (firstHeaderValue(fields, 'return-path') ?? 'unknown').trim().replace(/^<|>$/g, '');
}

/** Printable ASCII: most values, which need no decoding. */
const isPlainText = /^[\x20-\x7e]*$/;

/** An unstructured header value for display: encoded words decoded, control characters replaced by spaces. */
export function decodeText(rawValue: string): string {
  if (isPlainText.test(rawValue) && !rawValue.includes('=?')) {
    return rawValue.slice(0, valueCharactersMax).trim();
  }
  return decodeWords(recodeEncodedWords(rawValue.slice(0, valueCharactersMax)))
    .replace(/\p{Cc}+/gu, ' ')
    .trim();
}

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const zoneHours: Readonly<Record<string, number>> = {
  EST: -5,
  EDT: -4,
  CST: -6,
  CDT: -5,
  MST: -7,
  MDT: -6,
  PST: -8,
  PDT: -7,
  JST: 9,
  CET: 1,
  CEST: 2,
};
const dateForm =
  /(\d{1,2})[\s-]+([A-Za-z]{3})[A-Za-z]*\.?,?[\s-]+(\d{2,4}),?\s+(\d{1,2}):(\d{2})(?::(\d{2}))?(?:[.\d]*)\s*([+-]\d{4}|[A-Z]{2,5})?/;
const latestDate = Date.UTC(9999, 11, 31);

/** Unix milliseconds of a `Date` value in RFC 5322, obsolete or ISO 8601 form; null if invalid. */
export function parseDate(rawValue: string): number | null {
  const value = rawValue.slice(0, 200);
  const match = dateForm.exec(value);
  if (match === null)
    return inRange(/^\s*\d{4}-\d\d-\d\d/.test(value) ? Date.parse(value.trim()) : Number.NaN);
  const [, day, monthName = '', year = '', hour, minute, second = '0', zone = ''] = match;
  const month = months.indexOf(monthName.toLowerCase());
  // RFC 5322 4.3: years 00–49 are 2000–2049, 50–999 count from 1900.
  const fullYear =
    year.length > 3 ? Number(year) : Number(year) + (year.length === 2 && Number(year) < 50 ? 2000 : 1900);
  if (month < 0) return null;
  const local = Date.UTC(fullYear, month, Number(day), Number(hour), Number(minute), Number(second));
  return inRange(local - zoneMinutes(zone) * 60_000);
}

function zoneMinutes(zone: string): number {
  const offset = /^([+-])(\d\d)(\d\d)$/.exec(zone);
  if (offset === null) return (zoneHours[zone] ?? 0) * 60;
  const [, sign, hours, minutes] = offset;
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes));
}

function inRange(ms: number): number | null {
  return ms >= 0 && ms <= latestDate ? ms : null;
}

/** The field in the lines `parts`, or null if the first is not a header line. */
function fieldOf([first = '', ...more]: readonly string[]): Header | null {
  const start = fieldStart.exec(first);
  if (start === null) return null;
  const [opening, name = ''] = start;
  const lines = [first.slice(opening.length), ...more].map((line) => line.trim());
  return { name, value: lines.filter((line) => line !== '').join(' ') };
}
