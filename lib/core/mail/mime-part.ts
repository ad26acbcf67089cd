/**
 * One MIME part, rewritten for the MIME parser: flowed text and bodies of very many lines are decoded and re-encoded as
 * base64. A text over the budget is split into its beginning and a file with all of it.
 */
import { unflow } from './flowed.ts';
import { type TextBudget, truncateBytes, utf8Bytes } from './text-limits.ts';
import { codecOf, decodeBody } from './transfer-encodings.ts';

/** The content fields of a MIME part. */
export interface PartHeader {
  readonly fields: readonly string[];
  /** Values unfolded; empty if the field is missing. */
  readonly type: string;
  readonly encoding: string;
  readonly disposition: string;
}

/** The remaining text budget of a message. */
export type PartBudget = { -readonly [kind in keyof TextBudget]: number };

const lineFeed = 0x0a;
const padding = 0x3d;
/** Parts of fewer lines are cheap to parse. */
const linesMax = 1000;
/** Lines of base64 and quoted-printable have up to 76 characters; much shorter ones slow the parser down. */
const encodedLineBytesMin = 30;
/** Bytes in a line of the base64 written here: the parser copies each line several times. */
const base64LineBytes = 48 * 1024;
/** Boundary between the beginning of a text and its file: both are base64, which has no such line. */
const longTextBoundary = 'whole';

/** Rewrites a part, and subtracts its text from `budget`. */
export function mimePart(header: PartHeader, body: Buffer, budget: PartBudget): Uint8Array[] {
  const kind = kindOf(header);
  if (kind !== null) {
    // In any charset, UTF-8 needs at most twice the bytes.
    const surelyFits = body.length * 2 <= budget[kind];
    const content = surelyFits ? body : decodeBody(header.encoding, body);
    const bytes = surelyFits ? body.length : utf8Bytes(content);
    if (bytes > budget[kind]) return longText(header, content, kind, budget);
    // The parser puts a line feed between texts.
    budget[kind] = Math.max(0, budget[kind] - bytes - 1);
  }
  const isFlowed = claimsFlowed(header);
  if (!isFlowed && !hasTooManyLines(header, body)) return [headerOf(header.fields), body];
  return decodedPart(header, decodeBody(header.encoding, body));
}

/** Like `mimePart`, with the text declared as `charset`; files are written without content. */
export function mimePartInCharset(
  header: PartHeader,
  body: Buffer,
  budget: PartBudget,
  charset: string,
): Uint8Array[] {
  if (kindOf(header) === null) return [headerOf(header.fields)];
  const others = header.type.replace(/;\s*charset\s*=\s*(?:"[^"]*"|[^;]*)/gi, '');
  const type = `${others || 'text/plain'}; charset=${charset}`;
  const fields = [`Content-Type: ${type}`, ...header.fields.filter((field) => !isType(field))];
  return mimePart({ ...header, type, fields }, body, budget);
}

/** The beginning of a text, as far as the budget allows, and all of it as a file. */
function longText(
  header: PartHeader,
  content: Buffer,
  kind: keyof PartBudget,
  budget: PartBudget,
): Uint8Array[] {
  const beginning = truncateBytes(content, budget[kind]);
  budget[kind] = 0;
  const parameters = /;.*/s.exec(header.disposition)?.[0] ?? '';
  const name = kind === 'html' ? 'message.html' : 'message.txt';
  const file = [
    ...header.fields.filter(isType),
    // The first filename parameter counts, which is the part's own.
    `Content-Disposition: attachment${parameters}; filename="${name}"`,
  ];
  if (beginning.length === 0) return inBase64(file, content);
  const delimiter = (end: string) => Buffer.from(`\n--${longTextBoundary}${end}\n`);
  return [
    multipartHeader('multipart/mixed', longTextBoundary),
    delimiter(''),
    ...decodedPart(header, Buffer.from(beginning.buffer, beginning.byteOffset, beginning.byteLength)),
    delimiter(''),
    ...inBase64(file, content),
    delimiter('--'),
  ];
}

/** A part with its body decoded, and unflowed if it declares `format=flowed`. */
function decodedPart(header: PartHeader, content: Buffer): Uint8Array[] {
  if (!claimsFlowed(header)) return inBase64(header.fields, content);
  const lines = content.toString('latin1').replaceAll('\r\n', '\n');
  const text = unflow(lines, { delSp: /;\s*delsp\s*=\s*"?yes\b/i.test(header.type) });
  const fields = header.fields.map((field) => field.replace(/;\s*format\s*=\s*"?flowed"?/i, ''));
  return inBase64(fields, Buffer.from(text, 'latin1'));
}

function inBase64(fields: readonly string[], content: Buffer): Uint8Array[] {
  const others = fields.filter((field) => !/^content-transfer-encoding/i.test(field));
  const lines = Math.ceil(content.length / base64LineBytes);
  const encoded = Buffer.allocUnsafe(Math.ceil(content.length / 3) * 4 + lines);
  let length = 0;
  for (let at = 0; at < content.length; at += base64LineBytes) {
    const line = content.toString('base64', at, at + base64LineBytes);
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

/** The kind of text in a part; null for a file. */
function kindOf({ type, disposition }: PartHeader): keyof PartBudget | null {
  if (/^attachment\b/i.test(disposition)) return null;
  if (/^(?:text\/plain\s*(?:[;(]|$)|$)/i.test(type)) return 'plain';
  return /^text\/html\s*(?:[;(]|$)/i.test(type) ? 'html' : null;
}

/** Whether a text part declares `format=flowed`; a file keeps its lines. */
function claimsFlowed(header: PartHeader): boolean {
  return kindOf(header) === 'plain' && /;\s*format\s*=\s*"?flowed\b/i.test(header.type);
}

/** Whether a body has very many lines or, if encoded, more lines and padded units than its size explains. */
function hasTooManyLines({ encoding }: PartHeader, body: Buffer): boolean {
  const codec = codecOf(encoding);
  let units = 0;
  for (let at = 0; at < body.length; at++) {
    if (body[at] === lineFeed || (codec === 'base64' && body[at] === padding)) units++;
  }
  return units > linesMax && (codec === null || body.length < units * encodedLineBytesMin);
}

/** The header of a multipart in a form that every parser reads alike. */
export function multipartHeader(type: string, boundary: string): Buffer {
  const [name = ''] = /^multipart\/[\w.+-]*/i.exec(type) ?? [];
  const parameter = boundary === '' ? '' : `; boundary="${boundary.replace(/["\\]/g, '\\$&')}"`;
  return Buffer.from(`Content-Type: ${name}${parameter}\n\n`, 'latin1');
}
