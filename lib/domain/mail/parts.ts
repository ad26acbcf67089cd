/**
 * The parts of a message written anew, so that the MIME reader takes any of them in time that grows with their size.
 *
 * The reader spends microseconds on each line of a part, and joins flowed text without regard to quotes. So each part
 * keeps the fields that say what it is, what stands outside of parts is left out, and a part that is flowed or made of
 * a flood of lines is decoded here and handed on in one line of base64.
 */
import { unflow } from './flowed.ts';

/** What is open at a place in a message: the boundaries of the multiparts around it, innermost last. */
type Open = readonly string[];

/** A line that ends a part. */
interface Delimiter {
  readonly start: number;
  readonly next: number;
  /** Place of its boundary among those open. */
  readonly level: number;
  /** True where it ends the whole multipart. */
  readonly closes: boolean;
}

/** The fields that say how a part is to be read. */
interface PartHeader {
  readonly fields: readonly string[];
  /** Values unfolded; empty where the field is missing. */
  readonly type: string;
  readonly encoding: string;
  readonly disposition: string;
}

const lineFeed = 0x0a;
const carriageReturn = 0x0d;
const dash = 0x2d;
const padding = 0x3d;
/** As deep as the MIME reader goes. */
const levelsMax = 256;
/** No boundary is longer than 70 characters (RFC 2046 5.1.1); some programs do not know. */
const boundaryMax = 1000;
/** Parts of fewer lines cost nothing worth saving. */
const linesMax = 1000;
/** Lines of base64 and quoted-printable have up to 76 octets; a part of shorter ones is made to cost time. */
const encodedLineOctetsMin = 30;

/**
 * The message with its parts written anew; to readers of its parts it says the same.
 *
 * @param source a message whose lines end in LF or CRLF, its header included
 * @throws Error where parts are nested deeper than the reader goes
 */
export function rewriteParts(source: Uint8Array): Buffer {
  const bytes = Buffer.from(source.buffer, source.byteOffset, source.byteLength);
  const written: Uint8Array[] = [];
  let open: Open = [];
  for (let at: number | undefined = 0; at !== undefined; ) {
    const { end, bodyAt } = headerAt(bytes, at, open);
    const header = readHeader(bytes.toString('latin1', at, end));
    const isMultipart = /^multipart\//i.test(header.type);
    if (isMultipart) {
      const boundary = boundaryOf(header.type);
      if (boundary !== '') open = [...open, boundary];
      if (open.length > levelsMax) throw new Error('the parts are nested too deep');
      written.push(multipartHeader(header.type, boundary));
    }
    let delimiter = nextDelimiter(bytes, bodyAt, open);
    if (!isMultipart) written.push(...leaf(header, bytes.subarray(bodyAt, delimiter?.start)));
    // After the end of a multipart stands what belongs to nothing, up to the next part of one around it.
    while (delimiter?.closes) {
      written.push(bytes.subarray(delimiter.start, delimiter.next));
      open = open.slice(0, delimiter.level);
      delimiter = nextDelimiter(bytes, delimiter.next, open);
    }
    if (delimiter) {
      written.push(bytes.subarray(delimiter.start, delimiter.next));
      open = open.slice(0, delimiter.level + 1);
    }
    at = delimiter?.next;
  }
  return Buffer.concat(written);
}

/** Where the header that begins at `start` ends, and where what follows it begins. */
function headerAt(bytes: Buffer, start: number, open: Open): { end: number; bodyAt: number } {
  for (let at = start; at < bytes.length; ) {
    const next = lineAfter(bytes, at);
    if (isBlank(bytes, at)) return { end: at, bodyAt: next };
    if (delimiterAt(bytes, at, open)) return { end: at, bodyAt: at };
    at = next;
  }
  return { end: bytes.length, bodyAt: bytes.length };
}

function lineAfter(bytes: Buffer, at: number): number {
  const feed = bytes.indexOf(lineFeed, at);
  return feed < 0 ? bytes.length : feed + 1;
}

function isBlank(bytes: Buffer, start: number): boolean {
  let at = start;
  while (bytes[at] === carriageReturn) at++;
  return bytes[at] === lineFeed || at === bytes.length;
}

function nextDelimiter(bytes: Buffer, from: number, open: Open): Delimiter | null {
  if (open.length === 0) return null;
  for (let at = bytes.indexOf('\n--', from - 1); at >= 0; at = bytes.indexOf('\n--', at + 3)) {
    const found = delimiterAt(bytes, at + 1, open);
    if (found) return found;
  }
  return null;
}

function delimiterAt(bytes: Buffer, start: number, open: Open): Delimiter | null {
  if (open.length === 0 || bytes[start] !== dash || bytes[start + 1] !== dash) return null;
  const next = lineAfter(bytes, start);
  if (next - start > boundaryMax * 2) return null;
  const line = bytes.toString('latin1', start + 2, next).trimEnd();
  const level = open.findLastIndex((boundary) => line === boundary || line === `${boundary}--`);
  return level < 0 ? null : { start, next, level, closes: line !== open[level] };
}

function readHeader(block: string): PartHeader {
  const fields = block
    .split(/\n(?![ \t])/)
    .filter((field) => /^content-[a-z-]{2,20}[ \t]{0,20}:/i.test(field))
    .map((field) => field.trimEnd());
  const value = (name: string) => {
    const field = fields.find((one) => one.slice(0, one.indexOf(':')).trimEnd().toLowerCase() === name) ?? '';
    return field
      .slice(field.indexOf(':') + 1)
      .replace(/[\r\n]+/g, '')
      .trim();
  };
  return {
    fields,
    type: value('content-type'),
    encoding: value('content-transfer-encoding'),
    disposition: value('content-disposition'),
  };
}

/** The boundary that a type names, whole or in sections (RFC 2231 3); empty where there is none that can be used. */
function boundaryOf(type: string): string {
  const [, quoted, token = ''] = /;\s*boundary\s*=\s*(?:"((?:[^"\\]|\\.)*)|([^";]*))/i.exec(type) ?? [];
  const sections = [...type.matchAll(/;\s*boundary\*\d+\s*=\s*"?([^";]*)/gi)].map(([, section]) => section);
  // A comment may follow the token.
  const named = quoted?.replace(/\\(.)/g, '$1') ?? (token.replace(/\s\(.*/, '').trim() || sections.join(''));
  return named.length > boundaryMax ? '' : named.trimEnd();
}

/** Written so that it can be read in one way only, ours. */
function multipartHeader(type: string, boundary: string): Buffer {
  const [name = ''] = /^multipart\/[\w.+-]*/i.exec(type) ?? [];
  const parameter = boundary === '' ? '' : `; boundary="${boundary.replace(/["\\]/g, '\\$&')}"`;
  return Buffer.from(`Content-Type: ${name}${parameter}\n\n`, 'latin1');
}

function leaf(header: PartHeader, body: Buffer): Uint8Array[] {
  const isFlowed = claimsFlowed(header);
  if (!isFlowed && !isFlood(header, body)) return [headerOf(header.fields), body];
  const decoded = decode(header.encoding, body.toString('latin1'));
  const text = isFlowed
    ? unflow(decoded.replaceAll('\r\n', '\n'), { delSp: /;\s*delsp\s*=\s*"?yes\b/i.test(header.type) })
    : decoded;
  const fields = header.fields
    .filter((field) => !/^content-transfer-encoding/i.test(field))
    .map((field) => (isFlowed ? field.replace(/;\s*format\s*=\s*"?flowed"?/i, '') : field));
  return [
    headerOf([...fields, 'Content-Transfer-Encoding: base64']),
    Buffer.from(`${Buffer.from(text, 'latin1').toString('base64')}\n`),
  ];
}

function headerOf(fields: readonly string[]): Buffer {
  return Buffer.from([...fields, '', ''].join('\n'), 'latin1');
}

/** Text to be shown that is flowed; a file keeps its lines. */
function claimsFlowed({ type, disposition }: PartHeader): boolean {
  return (
    /^text\/plain\b/i.test(type) &&
    /;\s*format\s*=\s*"?flowed\b/i.test(type) &&
    !/^attachment\b/i.test(disposition)
  );
}

/** Many lines, which are slow one by one; of an encoded part, more lines or padded units than its size accounts for. */
function isFlood({ encoding }: PartHeader, body: Buffer): boolean {
  const codec = codecOf(encoding);
  let units = 0;
  for (let at = 0; at < body.length; at++) {
    if (body[at] === lineFeed || (codec === 'base64' && body[at] === padding)) units++;
  }
  return units > linesMax && (codec === null || body.length < units * encodedLineOctetsMin);
}

function codecOf(encoding: string): 'base64' | 'quoted-printable' | null {
  const [token = ''] = /[\w-]+/.exec(encoding.slice(0, 200).replace(/\([^)]*\)/g, '')) ?? [];
  if (/base64/i.test(token)) return 'base64';
  return /quoted-printable/i.test(token) ? 'quoted-printable' : null;
}

/** What a body says, an octet a character; lines end in LF, the last one too. */
function decode(encoding: string, body: string): string {
  const codec = codecOf(encoding);
  if (codec === 'base64') {
    // Some mailers pad every line, so that one body holds many units.
    const units = body.replace(/[^A-Za-z0-9+/=]+/g, '').split(/=+/);
    return units.map((unit) => Buffer.from(unit, 'base64').toString('latin1')).join('');
  }
  const lines = body.replace(/(?<!\r)\r+\n/g, '\n');
  const whole = lines === '' || lines.endsWith('\n') ? lines : `${lines}\n`;
  if (codec === null) return whole;
  return whole
    .replaceAll('=\n', '')
    .replace(/=([0-9A-F]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}
