/**
 * Rewriting of one MIME part for the MIME parser. Texts are decoded, unflowed, cut to the budget and written in base64
 * with the charset that fits. Files are replaced by their number: the parser would change the bytes of text files.
 */
import { decodeUtf7, textCharset, utf7Label } from '../text/charsets.ts';
import { unflow } from '../text/flowed.ts';
import { restoreReturns } from '../text/line-ends.ts';
import { type TextBudget, truncateBytes, utf8Bytes } from '../text/text-limits.ts';
import { type EnclosedFile, takeEnclosedFiles } from './enclosed-files.ts';
import { codecOf, decodeFileBody, decodeTextBody, uuencodedName } from './transfer-encodings.ts';

/** The content fields of a MIME part. */
export interface PartHeader {
  readonly fields: readonly string[];
  /** Values unfolded; empty if the field is missing. */
  readonly type: string;
  readonly encoding: string;
  readonly disposition: string;
  /** The innermost `multipart/alternative` around the part, which is a representation of the body, never a file. */
  readonly alternative: object | null;
}

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
  readonly alternative: object | null;
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

type TextKind = keyof TextBudget;

/** Bytes in a line of the base64 written here: the parser copies each line several times. */
const base64LineBytes = 48 * 1024;
/** Boundary between the beginning of a text and its file: neither has such a line. */
const longTextBoundary = 'whole';
/** Boundary between a text and the files that were in it. */
const enclosedBoundary = 'enclosed';
const namedPart = /;\s*(?:file)?name\*?(?:\d+\*?)?\s*=/i;
const legacyCharset = /;\s*charset\*?\s*=\s*(?:[\w-]*'[\w-]*')?"?\s*(?!us-ascii|utf-8)([\w.:-]{1,40})/i;
const charsetParameter = /;\s*charset\*?\s*=\s*(?:[\w-]*'[\w-]*')?"?\s*([^\s";()]{1,100})/i;

/** The charset that a file declares where that tells more than ASCII or UTF-8, which its content proves; else null. */
export function legacyCharsetOf({ type }: PartHeader): string | null {
  return legacyCharset.exec(type)?.[1]?.toLowerCase() ?? null;
}

/** Rewrites a part, and updates the state. */
export function mimePart(header: PartHeader, body: Buffer, state: RewriteState): RewrittenPart {
  const kind = kindOf(header);
  if (kind === null) return filePart(header, body, state);
  const decoded = decodeTextBody(header.encoding, body);
  if (kind === 'html') return bodyText(header, body, { kind, content: decoded }, state);
  const { text: content, files } = takeEnclosedFiles(decoded, state.fallbackCharset);
  const text = bodyText(header, body, { kind, content }, state);
  if (files.length === 0) return text;
  return mixed([text, ...files.map((file) => enclosedPart(file, state))], enclosedBoundary);
}

/** A text within the budget, with its file where it has a name. */
function bodyText(
  header: PartHeader,
  body: Buffer,
  { kind, content }: Pick<PartText, 'kind' | 'content'>,
  state: RewriteState,
): RewrittenPart {
  const bytes = utf8Bytes(content);
  if (bytes > state.budget[kind]) return longText(header, body, { kind, content }, state);
  // The parser puts a line feed between texts.
  state.budget[kind] = Math.max(0, state.budget[kind] - bytes - 1);
  const text = textPart(header, content, kind, state);
  if (header.alternative !== null || !isNamed(header)) return text;
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
  const shown = Buffer.from(beginning.buffer, beginning.byteOffset, beginning.byteLength);
  return mixed([textPart(header, shown, kind, state), file]);
}

function mixed(parts: readonly RewrittenPart[], boundary = longTextBoundary): RewrittenPart {
  const delimiter = (end: string) => Buffer.from(`\n--${boundary}${end}\n`);
  return () => [
    multipartHeader('multipart/mixed', boundary),
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

/** The kind of text in a part; null for a file. */
function kindOf({ type, disposition }: PartHeader): TextKind | null {
  if (/^attachment\b/i.test(disposition)) return null;
  if (/^(?:text\/plain\s*(?:[;(]|$)|$)/i.test(type)) return 'plain';
  return /^text\/html\s*(?:[;(]|$)/i.test(type) ? 'html' : null;
}

function isNamed({ type, disposition }: PartHeader): boolean {
  return namedPart.test(type) || namedPart.test(disposition);
}

function claimsFlowed({ type }: PartHeader): boolean {
  return /;\s*format\s*=\s*"?flowed\b/i.test(type);
}

/** The header of a multipart in a form that every parser reads alike. */
export function multipartHeader(type: string, boundary: string): Buffer {
  const [name = ''] = /^multipart\/[\w.+-]*/i.exec(type) ?? [];
  const parameter = boundary === '' ? '' : `; boundary="${boundary.replace(/["\\]/g, '\\$&')}"`;
  return Buffer.from(`Content-Type: ${name}${parameter}\n\n`, 'latin1');
}
