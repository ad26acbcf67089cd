/**
 * One part of a message, written anew for the MIME reader: what is flowed or made of a flood of lines is decoded here and
 * handed on in base64. A text too long to be shown is parted into its beginning and a file that has all of it.
 */
import { unflow } from './flowed.ts';
import { type TextBudget, truncateBytes, utf8Bytes } from './text-limits.ts';
import { codecOf, decodeBody } from './transfer-encodings.ts';

/** The fields that say how a part is to be read. */
export interface PartHeader {
  readonly fields: readonly string[];
  /** Values unfolded; empty where the field is missing. */
  readonly type: string;
  readonly encoding: string;
  readonly disposition: string;
}

/** What is left of the room for texts of each kind. */
export type PartBudget = { -readonly [kind in keyof TextBudget]: number };

const lineFeed = 0x0a;
const padding = 0x3d;
/** Parts of fewer lines cost nothing worth saving. */
const linesMax = 1000;
/** Lines of base64 and quoted-printable have up to 76 octets; a part of shorter ones is made to cost time. */
const encodedLineOctetsMin = 30;
/** Octets in a line of the base64 written here: the reader holds a line in memory several times. */
const base64LineOctets = 48 * 1024;
/** Between a text's beginning and the file of it: both are in base64, which has no such line. */
const longTextBoundary = 'whole';

/** A part written anew; takes what its text needs out of `room`. */
export function mimePart(header: PartHeader, body: Buffer, room: PartBudget): Uint8Array[] {
  const kind = kindOf(header);
  if (kind !== null) {
    // Whatever the charset, UTF-8 needs no more than twice the octets.
    const surelyFits = body.length * 2 <= room[kind];
    const content = surelyFits ? body : decodeBody(header.encoding, body);
    const octets = surelyFits ? body.length : utf8Bytes(content);
    if (octets > room[kind]) return longText(header, content, kind, room);
    // The reader puts a line feed between texts.
    room[kind] = Math.max(0, room[kind] - octets - 1);
  }
  const isFlowed = claimsFlowed(header);
  if (!isFlowed && !isFlood(header, body)) return [headerOf(header.fields), body];
  return decoded(header, decodeBody(header.encoding, body));
}

/** As `leaf`: a text that is said to be in `charset`, whatever it claims, or a file without its content. */
export function relabelled(
  header: PartHeader,
  body: Buffer,
  room: PartBudget,
  charset: string,
): Uint8Array[] {
  if (kindOf(header) === null) return [headerOf(header.fields)];
  const others = header.type.replace(/;\s*charset\s*=\s*(?:"[^"]*"|[^;]*)/gi, '');
  const type = `${others || 'text/plain'}; charset=${charset}`;
  const fields = [`Content-Type: ${type}`, ...header.fields.filter((field) => !isType(field))];
  return mimePart({ ...header, type, fields }, body, room);
}

/** What a text begins with, as far as there is room, and all of it as a file. */
function longText(
  header: PartHeader,
  content: Buffer,
  kind: keyof PartBudget,
  room: PartBudget,
): Uint8Array[] {
  const beginning = truncateBytes(content, room[kind]);
  room[kind] = 0;
  const parameters = /;.*/s.exec(header.disposition)?.[0] ?? '';
  const name = kind === 'html' ? 'message.html' : 'message.txt';
  const file = [
    ...header.fields.filter(isType),
    // Of two names the first counts, which is the part's own.
    `Content-Disposition: attachment${parameters}; filename="${name}"`,
  ];
  if (beginning.length === 0) return inBase64(file, content);
  const delimiter = (end: string) => Buffer.from(`\n--${longTextBoundary}${end}\n`);
  return [
    multipartHeader('multipart/mixed', longTextBoundary),
    delimiter(''),
    ...decoded(header, Buffer.from(beginning.buffer, beginning.byteOffset, beginning.byteLength)),
    delimiter(''),
    ...inBase64(file, content),
    delimiter('--'),
  ];
}

/** A part whose body is decoded: its text unflowed where it claims to be flowed. */
function decoded(header: PartHeader, content: Buffer): Uint8Array[] {
  if (!claimsFlowed(header)) return inBase64(header.fields, content);
  const lines = content.toString('latin1').replaceAll('\r\n', '\n');
  const text = unflow(lines, { delSp: /;\s*delsp\s*=\s*"?yes\b/i.test(header.type) });
  const fields = header.fields.map((field) => field.replace(/;\s*format\s*=\s*"?flowed"?/i, ''));
  return inBase64(fields, Buffer.from(text, 'latin1'));
}

function inBase64(fields: readonly string[], content: Buffer): Uint8Array[] {
  const others = fields.filter((field) => !/^content-transfer-encoding/i.test(field));
  const lines = Math.ceil(content.length / base64LineOctets);
  const encoded = Buffer.allocUnsafe(Math.ceil(content.length / 3) * 4 + lines);
  let length = 0;
  for (let at = 0; at < content.length; at += base64LineOctets) {
    const line = content.toString('base64', at, at + base64LineOctets);
    length += encoded.write(`${line}\n`, length, 'latin1');
  }
  return [headerOf([...others, 'Content-Transfer-Encoding: base64']), encoded.subarray(0, length)];
}

function headerOf(fields: readonly string[]): Buffer {
  return Buffer.from([...fields, '', ''].join('\n'), 'latin1');
}

function isType(field: string): boolean {
  return /^content-type/i.test(field);
}

/** The kind of text that a part shows; null for a file. */
function kindOf({ type, disposition }: PartHeader): keyof PartBudget | null {
  if (/^attachment\b/i.test(disposition)) return null;
  if (/^(?:text\/plain\s*(?:[;(]|$)|$)/i.test(type)) return 'plain';
  return /^text\/html\s*(?:[;(]|$)/i.test(type) ? 'html' : null;
}

/** Text to be shown that is flowed; a file keeps its lines. */
function claimsFlowed(header: PartHeader): boolean {
  return kindOf(header) === 'plain' && /;\s*format\s*=\s*"?flowed\b/i.test(header.type);
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

/** Written so that it can be read in one way only, ours. */
export function multipartHeader(type: string, boundary: string): Buffer {
  const [name = ''] = /^multipart\/[\w.+-]*/i.exec(type) ?? [];
  const parameter = boundary === '' ? '' : `; boundary="${boundary.replace(/["\\]/g, '\\$&')}"`;
  return Buffer.from(`Content-Type: ${name}${parameter}\n\n`, 'latin1');
}
