/** Tolerant MIME parsing: any bytes become a readable message (RFC 5322, RFC 2045–2049). */
import PostalMime, { type Email, type Attachment as Part } from 'postal-mime';
import type { Header } from '../email.ts';
import type { Address } from './addresses.ts';
import {
  candidateCharsets,
  claimsAscii,
  claimsUtf7,
  decodeBytes,
  decodeUtf7,
  isMisread,
  legacyCharset,
  recodeFilenames,
  repairEscapes,
} from './charsets.ts';
import { decodeText, firstHeaderValue, headerValues, parseDate, readHeaders } from './headers.ts';
import { parseMessageIds } from './message-ids.ts';
import { rewriteParts } from './mime-structure.ts';
import { parseAddressList, parseAuthor } from './received-addresses.ts';
import {
  receivedTextBudget,
  type TextBudget,
  truncateBytes,
  truncateText,
  utf8Bytes,
} from './text-limits.ts';

export interface ParsedAttachment {
  /** Base name, decoded; null when the part names none. */
  readonly filename: string | null;
  /** Lower-case media type without parameters. */
  readonly contentType: string;
  readonly disposition: string | null;
  /** Content-ID without angle brackets. */
  readonly cid: string | null;
  readonly content: Uint8Array;
  /** True if the html shows it by `cid:`. */
  readonly relatedToHtml: boolean;
}

export interface ParsedMessage {
  /** With angle brackets. */
  readonly messageId: string | null;
  readonly inReplyTo: readonly string[];
  readonly references: readonly string[];
  readonly from: Address | null;
  readonly sender: Address | null;
  readonly replyTo: readonly Address[];
  readonly to: readonly Address[];
  readonly cc: readonly Address[];
  readonly bcc: readonly Address[];
  /** Decoded, without line breaks; empty if there is none. */
  readonly subject: string;
  /** Unix milliseconds of the Date header. */
  readonly date: number | null;
  readonly html: string | null;
  readonly text: string | null;
  /** All fields in order, values unfolded and decoded. */
  readonly headers: readonly Header[];
  readonly attachments: readonly ParsedAttachment[];
  /** Deviations from the standards that were worked around, for operators. */
  readonly problems: readonly string[];
}

/** Most lines that look like delimiters: each part may become a file to store and to list. */
const delimiterLinesMax = 800;

/** A parsed message, and the charset of its text if it declares another. */
interface DecodedMessage {
  readonly email: Email;
  readonly charset: string | null;
}

type Body = Pick<ParsedMessage, 'html' | 'text' | 'attachments' | 'problems'>;

/**
 * Parses a raw message. Never rejects: if the MIME structure is invalid, the body is returned as text and `problems` says
 * why. Nested messages (`message/rfc822`), signed and encrypted parts are attachments.
 *
 * @param textBudget bytes of text to return; a longer text is truncated, with all of it as an attachment
 */
export async function parseMime(
  raw: Uint8Array,
  textBudget: TextBudget = receivedTextBudget,
): Promise<ParsedMessage> {
  const normalized = normalizeLineEnds(raw);
  const charset = legacyCharset(normalized);
  const source = recodeFilenames(normalized, charset);
  const { fields, bodyStart, isSeparated } = readHeaders(source, charset);
  const body = source.subarray(bodyStart);
  const whole = isSeparated
    ? source
    : Buffer.concat([source.subarray(0, bodyStart), Buffer.from('\n'), body]);
  const addresses = (name: string) => headerValues(fields, name).flatMap(parseAddressList);
  const ids = (name: string) => parseMessageIds(headerValues(fields, name).join(' '));
  const date = firstHeaderValue(fields, 'date');
  const { html, text, attachments, problems } = await readBody({ source: whole, body, charset, textBudget });
  return {
    messageId: ids('message-id')[0] ?? null,
    inReplyTo: ids('in-reply-to'),
    references: ids('references'),
    from: parseAuthorField(fields, 'from'),
    sender: parseAuthorField(fields, 'sender'),
    replyTo: addresses('reply-to'),
    to: addresses('to'),
    cc: addresses('cc'),
    bcc: addresses('bcc'),
    subject: decodeText(firstHeaderValue(fields, 'subject') ?? ''),
    date: date === null ? null : parseDate(date),
    html,
    text,
    headers: fields.map(({ name, value }) => ({ name, value: decodeText(value) })),
    attachments,
    problems,
  };
}

/** Removes a byte order mark and blank lines before the header; converts CR line ends to LF. */
function normalizeLineEnds(raw: Uint8Array): Uint8Array {
  let start = raw[0] === 0xef && raw[1] === 0xbb && raw[2] === 0xbf ? 3 : 0;
  while (raw[start] === 0x0d || raw[start] === 0x0a) start++;
  const source = raw.subarray(start);
  return source.includes(0x0a) ? source : source.map((octet) => (octet === 0x0d ? 0x0a : octet));
}

function parseAuthorField(fields: readonly Header[], name: string): Address | null {
  for (const value of headerValues(fields, name)) {
    const address = parseAuthor(value);
    if (address !== null) return address;
  }
  return null;
}

/** A message in parsing: all bytes, the bytes after the header, the fallback charset, the text budget. */
interface Source {
  readonly source: Uint8Array;
  readonly body: Uint8Array;
  readonly charset: string;
  readonly textBudget: TextBudget;
}

async function readBody(message: Source): Promise<Body> {
  const { source, body, textBudget } = message;
  const first = await readMime(source, textBudget);
  if (first instanceof Error) return bareBody(message, first.message);
  if (!isEmpty(first)) return readableBody(first, message, []);
  const boundary = presumedBoundary(body);
  if (boundary === null) return bareBody(message, 'the message has no readable part');
  const delimited = Buffer.concat([
    Buffer.from(`Content-Type: multipart/mixed; boundary="${boundary}"\n`),
    source,
  ]);
  const second = await readMime(delimited, textBudget);
  if (second instanceof Error || isEmpty(second))
    return bareBody(message, 'the message has no readable part');
  return readableBody(second, { ...message, source: delimited }, ['the parts are not delimited as declared']);
}

function isEmpty({ text, html, attachments }: Email): boolean {
  return text === undefined && html === undefined && attachments.length === 0;
}

/** The boundary that a body uses: the first delimiter line that a part header follows. */
function presumedBoundary(body: Uint8Array): string | null {
  const text = Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('latin1');
  const [, boundary = null] = /^--([^\r\n"\\]{1,200}?)[ \t]*\r?\ncontent-[a-z-]{1,30}:/im.exec(text) ?? [];
  return boundary;
}

async function readableBody(first: Email, message: Source, problems: readonly string[]): Promise<Body> {
  const { email, charset } = await inBestCharset(first, message);
  const isUtf7 = claimsUtf7(message.source);
  // The parser converts between text and html if a message has separate parts of both, so texts may exceed the budget.
  const tidy = (text = '', bytesMax: number) => {
    const beginning = truncateText(text, bytesMax);
    return tidyText(isUtf7 ? decodeUtf7(beginning) : beginning) || null;
  };
  const html = tidy(email.html, message.textBudget.html);
  const contentIds = contentIdsIn(html ?? '');
  return {
    html,
    text: tidy(email.text, message.textBudget.plain),
    attachments: first.attachments.map((part) => attachmentOf(part, contentIds)),
    problems:
      charset === null
        ? problems
        : [...problems, `the text is not in the charset it declares; decoded as ${charset}`],
  };
}

/**
 * The message in a charset that fits, if its text was misread. Text that declares ASCII and is not is read as UTF-8
 * first: decoders take the label for windows-1252.
 */
async function inBestCharset(first: Email, { source, charset, textBudget }: Source): Promise<DecodedMessage> {
  const text = textOf(first);
  const isSuspect = isMisread(text) || (claimsAscii(source) && /[^\p{ASCII}]/u.test(text));
  for (const candidate of isSuspect ? candidateCharsets(charset) : []) {
    const email = await readMime(source, textBudget, candidate);
    if (email instanceof Error || isMisread(textOf(email))) continue;
    return { email, charset: textOf(email) === text ? null : candidate };
  }
  return { email: first, charset: null };
}

function textOf({ text = '', html = '' }: Email): string {
  return text + html;
}

/** @param charset as in `rewriteParts` */
async function readMime(
  source: Uint8Array,
  textBudget: TextBudget,
  charset: string | null = null,
): Promise<Email | Error> {
  if (delimiterLines(source) > delimiterLinesMax) return new Error('the message has too many parts');
  try {
    return await PostalMime.parse(rewriteParts(source, textBudget, charset), {
      forceRfc822Attachments: true,
    });
  } catch (cause) {
    // Over the parser's limits of depth or header size: the caller falls back to plain text.
    return cause instanceof Error ? cause : new Error(String(cause));
  }
}

function delimiterLines(source: Uint8Array): number {
  let count = 0;
  const bytes = Buffer.from(source.buffer, source.byteOffset, source.byteLength);
  for (let at = bytes.indexOf('\n--'); at >= 0; at = bytes.indexOf('\n--', at + 3)) count++;
  return count;
}

/** A body of invalid structure, as plain text. */
function bareBody({ body, charset, textBudget }: Source, problem: string): Body {
  const text = tidyText(decodeBytes(truncateBytes(body, textBudget.plain), charset)) || null;
  const whole: ParsedAttachment = {
    filename: 'message.txt',
    contentType: 'text/plain',
    disposition: 'attachment',
    cid: null,
    content: body,
    relatedToHtml: false,
  };
  return {
    html: null,
    text,
    attachments: utf8Bytes(body) > textBudget.plain ? [whole] : [],
    problems: text === null ? [] : [problem],
  };
}

function tidyText(text: string): string {
  return repairEscapes(text).replace(/\r\n?/g, '\n').replaceAll('\0', '').trimEnd();
}

/** The Content-IDs that the html refers to. */
function contentIdsIn(html: string): ReadonlySet<string> {
  return new Set([...html.matchAll(/\bcid:([^"'\s<>)]+)/gi)].map(([, id = '']) => decodeUrl(id)));
}

function decodeUrl(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // A stray percent sign: the id is not URL-encoded.
    return text;
  }
}

function attachmentOf(part: Part, shownIds: ReadonlySet<string>): ParsedAttachment {
  const cid = part.contentId?.trim().replace(/^</, '').replace(/>$/, '') || null;
  return {
    filename: filenameOf(part),
    contentType: part.mimeType || 'application/octet-stream',
    disposition: part.disposition || null,
    cid,
    content: bytesOf(part.content),
    relatedToHtml: cid !== null && shownIds.has(cid),
  };
}

/** The last path segment of a part's filename, decoded. */
function filenameOf(part: Part): string | null {
  const base = decodeText(part.filename ?? '')
    .split(/[/\\]/)
    .at(-1)
    ?.trim();
  if (base) return base;
  return part.mimeType === 'message/rfc822' ? 'message.eml' : null;
}

function bytesOf(content: Part['content']): Uint8Array {
  if (typeof content === 'string') return Buffer.from(content);
  return content instanceof Uint8Array ? content : new Uint8Array(content);
}
