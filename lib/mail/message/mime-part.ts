/**
 * Rewriting of one MIME part for the MIME parser. Texts are decoded, unflowed, cut to the budget and written in base64
 * with the charset that fits. Files are replaced by their number: the parser would change the bytes of text files.
 */
import { decodeUtf7, textCharset, utf7Label } from '../text/charsets.ts';
import { unmarkEnriched } from '../text/enriched.ts';
import { unflow } from '../text/flowed.ts';
import { restoreReturns } from '../text/line-ends.ts';
import { bufferOf } from '../text/octets.ts';
import { type TextBudget, truncateBytes, utf8Bytes } from '../text/text-limits.ts';
import { decodeDeclaredText } from './actual-encoding.ts';
import { type EnclosedFile, takeEnclosedFiles } from './enclosed-files.ts';
import type { Alternative } from './multiparts.ts';
import { type DeclaredText, declaredText, isNamed, type PartHeader, type TextKind } from './part-header.ts';
import { codecOf, decodeFileBody, uuencodedName } from './transfer-encodings.ts';

/** A file of a message. The MIME parser sees its index in the list of files as its content. */
export interface PartFile {
  /** As the MIME parser sees it. */
  readonly header: PartHeader;
  readonly content: Uint8Array;
  /** Lower case; null if the part has none. */
  readonly disposition: string | null;
  /** The name inside a uuencoded body; null for any other. */
  readonly encodedName: string | null;
}

/** A text in a charset that fits. */
export interface PartText {
  readonly kind: keyof TextBudget;
  readonly charset: string;
  readonly content: Buffer;
  /** The innermost `multipart/alternative` around the part. */
  readonly alternative: Alternative | null;
}

/** What the MIME parser reads instead of a part, written only where the parser is needed. */
export type RewrittenPart = () => readonly Uint8Array[];

/** The state of rewriting a message, changed by each part. */
export interface RewriteState {
  readonly texts: PartText[];
  readonly files: PartFile[];
  /** Charsets used instead of declared ones. */
  readonly replacedCharsets: Set<string>;
  /** The remaining text budget. */
  readonly budget: { -readonly [kind in keyof TextBudget]: number };
  /** Charset of undeclared text that is not UTF-8. */
  readonly fallbackCharset: string;
  /** Whether the lines of the message ended in CR alone. */
  readonly hadReturnsOnly: boolean;
}

/** Bytes in a line of the base64 written here: the parser copies each line several times. */
const base64LineBytes = 48 * 1024;
/** Boundary between the beginning of a text and its file: neither has such a line. */
const longTextBoundary = 'whole';
/** Boundary between a text and the files that were in it. */
const enclosedBoundary = 'enclosed';
const legacyCharset = /;\s*charset\*?\s*=\s*(?:[\w-]*'[\w-]*')?"?\s*(?!us-ascii|utf-8)([\w.:-]{1,40})/i;
/** The content of a part of unknown type is judged by its beginning. */
const judgedBytes = 1024;
const foreignDelimiterMax = 120;
/** Its two dashes and white space below it. */
const foreignDelimiterTailMax = 12;
/** Control characters in it, beyond which it is no text. */
const controlsMax = 4;
const charsetParameter = /;\s*charset\*?\s*=\s*(?:[\w-]*'[\w-]*')?"?\s*([^\s";()]{1,100})/i;

/** The charset that a file declares where that tells more than ASCII or UTF-8, which its content proves; else null. */
export function legacyCharsetOf({ type }: PartHeader): string | null {
  return legacyCharset.exec(type)?.[1]?.toLowerCase() ?? null;
}

/** Rewrites a part, and updates the state. */
export function mimePart(header: PartHeader, body: Buffer, state: RewriteState): RewrittenPart {
  const declared = declaredText(header);
  if (declared === null || isOtherRepresentation(declared, header)) return filePart(header, body, state);
  const decoded = decodeDeclaredText(header.encoding, body);
  const kind = kindOf(declared, decoded);
  if (kind === null) return filePart(unknownType(header), body, state);
  if (kind === 'html') return bodyText(header, body, { declared, kind, content: decoded }, state);
  const { text: content, files } = takeEnclosedFiles(decoded, state.fallbackCharset);
  const text = bodyText(header, body, { declared, kind, content }, state);
  if (files.length === 0) return text;
  return mixed([text, ...files.map((file) => enclosedPart(file, state))], enclosedBoundary);
}

/** A text within the budget, with its file where it has a name. */
function bodyText(
  header: PartHeader,
  body: Buffer,
  { declared, kind, content }: Pick<PartText, 'kind' | 'content'> & { declared: DeclaredText },
  state: RewriteState,
): RewrittenPart {
  const bytes = utf8Bytes(content);
  if (bytes > state.budget[kind]) return longText(header, body, { kind, content }, state);
  // The parser puts a line feed between texts.
  state.budget[kind] = Math.max(0, state.budget[kind] - bytes - 1);
  const readable = isEnriched(declared) ? unmarkEnriched(content) : withoutForeignDelimiter(content);
  const text = textPart(header, readable, kind, state);
  const isFile = declared.form === 'unknown' || (header.alternative === null && isNamed(header));
  if (!isFile) return text;
  return mixed([text, filePart(header, body, state)]);
}

/** The beginning of a text, as far as the budget allows, and all of it as a file. */
function longText(
  header: PartHeader,
  body: Buffer,
  { kind, content }: Pick<PartText, 'kind' | 'content'>,
  state: RewriteState,
): RewrittenPart {
  const beginning = truncateBytes(content, state.budget[kind]);
  state.budget[kind] = 0;
  const parameters = /;.*/s.exec(header.disposition)?.[0] ?? '';
  // The first filename parameter counts, which is the part's own.
  const disposition = `attachment${parameters}; filename="${kind === 'html' ? 'message.html' : 'message.txt'}"`;
  const file = filePart({ ...header, disposition }, body, state);
  if (beginning.length === 0) return file;
  return mixed([textPart(header, bufferOf(beginning), kind, state), file]);
}

function mixed(parts: readonly RewrittenPart[], boundary = longTextBoundary): RewrittenPart {
  const delimiter = (end: string) => Buffer.from(`\n--${boundary}${end}\n`);
  return () => [
    multipartHeader('mixed', boundary),
    ...parts.flatMap((part) => [delimiter(''), ...part()]),
    delimiter('--'),
  ];
}

/** A text in a charset that fits, unflowed if it declares `format=flowed`. */
function textPart(header: PartHeader, content: Buffer, kind: TextKind, state: RewriteState): RewrittenPart {
  const declared = charsetParameter.exec(header.type)?.[1] ?? (kind === 'html' ? metaCharset(content) : null);
  const charset = textCharset(content, declared, state.fallbackCharset);
  if (!isDeclared(charset, declared ?? 'us-ascii')) state.replacedCharsets.add(charset);
  const lines = claimsFlowed(header) && kind === 'plain' ? unflowed(header, content) : content;
  const { alternative } = header;
  const text: PartText = utf7Label.test(charset)
    ? { kind, charset: 'utf-8', content: Buffer.from(decodeUtf7(lines.toString('latin1'))), alternative }
    : { kind, charset, content: lines, alternative };
  state.texts.push(text);
  return () => inBase64(`Content-Type: text/${kind}; charset=${text.charset}`, text.content);
}

/** ASCII text that is UTF-8 deviates from no standard that matters (RFC 6532). */
function isDeclared(charset: string, declared: string): boolean {
  return (
    charset === declared.toLowerCase() ||
    (charset === 'utf-8' && /^(?:(?:us-)?ascii|utf-?8)$/i.test(declared))
  );
}

function unflowed(header: PartHeader, content: Buffer): Buffer {
  const lines = content.toString('latin1').replaceAll('\r\n', '\n');
  const text = unflow(lines, { delSp: /;\s*delsp\s*=\s*"?yes\b/i.test(header.type) });
  return Buffer.from(text, 'latin1');
}

/** The charset in the head of an html page (HTML, 13.2.3.2), which counts where the part declares none. */
function metaCharset(content: Buffer): string | null {
  const head = content.toString('latin1', 0, 1024);
  return /<meta\b[^>]{0,200}?\bcharset\s*=\s*["']?\s*([\w.:-]{1,40})/i.exec(head)?.[1] ?? null;
}

function filePart(header: PartHeader, body: Buffer, state: RewriteState): RewrittenPart {
  const [disposition = ''] = /^[^;\s]{0,40}/.exec(header.disposition) ?? [];
  const isIdentity = codecOf(header.encoding) === null;
  const index = state.files.length;
  state.files.push({
    header,
    content:
      isIdentity && state.hadReturnsOnly ? restoreReturns(body) : decodeFileBody(header.encoding, body),
    disposition: disposition.toLowerCase() || null,
    encodedName: uuencodedName(header.encoding, body),
  });
  return () => {
    // `attachment`, so that the parser takes no text file for a body; the real disposition is kept above.
    const parameters = /;.*/s.exec(header.disposition)?.[0] ?? '';
    const others = header.fields.filter(
      (field) => !/^content-(?:disposition|transfer-encoding)/i.test(field),
    );
    const fields = [...others, `Content-Disposition: attachment${parameters}`];
    return [Buffer.from([...fields, '', `${index}\n`].join('\n'), 'latin1')];
  };
}

/** A file that was written into a text. */
function enclosedPart({ filename, contentType, content }: EnclosedFile, state: RewriteState): RewrittenPart {
  const header: PartHeader = {
    fields: [`Content-Type: ${contentType}`],
    type: contentType,
    encoding: '',
    disposition: 'attachment',
    alternative: null,
  };
  const index = state.files.length;
  state.files.push({ header, content, disposition: 'attachment', encodedName: filename });
  const fields = [...header.fields, 'Content-Disposition: attachment', '', `${index}\n`];
  return () => [Buffer.from(fields.join('\n'), 'latin1')];
}

function inBase64(contentType: string, content: Buffer): Uint8Array[] {
  const lines = Math.ceil(content.length / base64LineBytes);
  const encoded = Buffer.allocUnsafe(Math.ceil(content.length / 3) * 4 + lines);
  let length = 0;
  for (let at = 0; at < content.length; at += base64LineBytes) {
    const line = content.toString('base64', at, at + base64LineBytes);
    length += encoded.write(`${line}\n`, length, 'latin1');
  }
  const header = `${contentType}\nContent-Transfer-Encoding: base64\n\n`;
  return [Buffer.from(header, 'latin1'), encoded.subarray(0, length)];
}

/** An unknown text beside plain text or html, such as AMP, is for programs that read it. */
function isOtherRepresentation({ form }: DeclaredText, { alternative }: PartHeader): boolean {
  return form === 'unknown' && alternative?.hasText === true;
}

/** The kind of a text; null where a part that does not declare one exactly has bytes of another. */
function kindOf({ kind, form }: DeclaredText, content: Buffer): TextKind | null {
  if (form === 'exact') return kind;
  const beginning = content.subarray(0, judgedBytes);
  if (isBinary(beginning)) return null;
  return /^\s{0,100}<(?:!doctype html|html|head|body)\b/i.test(beginning.toString('latin1')) ? 'html' : kind;
}

/** The header of a file that does not declare what it is: without a type, the parser takes it for text. */
function unknownType(header: PartHeader): PartHeader {
  if (header.type !== '') return header;
  const type = 'application/octet-stream';
  return { ...header, type, fields: [...header.fields, `Content-Type: ${type}`] };
}

/** Control characters that no text has, unless it is UTF-16 with a byte order mark. */
function isBinary(beginning: Buffer): boolean {
  if ((beginning[0] ?? 0) >= 0xfe && (beginning[1] ?? 0) >= 0xfe) return false;
  let controls = 0;
  for (const octet of beginning) if (isControl(octet)) controls++;
  return controls > controlsMax;
}

/** Not white space, and not the escape of ISO-2022-JP. */
function isControl(octet: number): boolean {
  return octet < 0x20 && (octet < 0x08 || octet > 0x0d) && octet !== 0x1b;
}

/** The closing delimiter of a multipart whose other lines are lost is no text. */
function withoutForeignDelimiter(content: Buffer): Buffer {
  if (!content.subarray(-foreignDelimiterTailMax).includes('--')) return content;
  const endAt = Math.max(content.length - foreignDelimiterMax, 0);
  const end = content.toString('latin1', endAt);
  const found = /(?:^|\n)--(?=[\w\-=.+:]{10})[^\s]*\d\S*[^-\s]--\s*$/.exec(end);
  if (found === null) return content;
  const foundAt = endAt + found.index;
  // A copy of a whole message has the other lines.
  const isAlone = content.indexOf(found[0].trim().slice(0, -2), 'latin1') >= foundAt;
  return isAlone ? content.subarray(0, foundAt) : content;
}

function isEnriched({ subtype }: DeclaredText): boolean {
  return subtype === 'enriched' || subtype === 'richtext';
}

function claimsFlowed({ type }: PartHeader): boolean {
  return /;\s*format\s*=\s*"?flowed\b/i.test(type);
}

/** The header of a multipart in a form that every parser reads alike. */
export function multipartHeader(subtype: string, boundary: string): Buffer {
  const parameter = `; boundary="${boundary.replace(/["\\]/g, '\\$&')}"`;
  return Buffer.from(`Content-Type: multipart/${subtype}${parameter}\n\n`, 'latin1');
}
