/** Reading a message: whatever bytes arrive become something a person can read (RFC 5322, RFC 2045–2049). */
import PostalMime, { type Email, type Attachment as Part } from 'postal-mime';
import type { Header } from '../email.ts';
import type { Address } from './addresses.ts';
import {
  claimsAscii,
  claimsUtf7,
  decodeBytes,
  decodeUtf7,
  isMisread,
  legacyCharset,
  likelyCharsets,
  recodeNames,
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
  /** True when the html shows it by `cid:`, so that it is a picture of the body rather than a file beside it. */
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
  /** Decoded, without line breaks; empty when there is none. */
  readonly subject: string;
  /** Unix milliseconds of the Date header. */
  readonly date: number | null;
  readonly html: string | null;
  readonly text: string | null;
  /** Every field in order, values unfolded and decoded. */
  readonly headers: readonly Header[];
  readonly attachments: readonly ParsedAttachment[];
  /** What could not be read as it claims to be, for people who look into a message. */
  readonly problems: readonly string[];
}

/** Lines that may delimit parts, many times what mail has; each part is a file to store and to be linked to in answers. */
const delimiterLinesMax = 800;

/** A message read, and the charset its text was read as where it claims another. */
interface Reading {
  readonly reading: Email;
  readonly readAs: string | null;
}

type Body = Pick<ParsedMessage, 'html' | 'text' | 'attachments' | 'problems'>;

/**
 * Reads a raw message. Never rejects: where the MIME structure cannot be followed, the body is given as text and
 * `problems` says why. Messages inside the message (`message/rfc822`) are attachments, as are signed and encrypted parts.
 *
 * @param shown how much of its texts is given; of a longer one the beginning, and all of it as an attachment
 */
export async function parseMime(
  raw: Uint8Array,
  shown: TextBudget = receivedTextBudget,
): Promise<ParsedMessage> {
  const tidied = normalise(raw);
  const charset = legacyCharset(tidied);
  const source = recodeNames(tidied, charset);
  const { fields, bodyAt, isSeparated } = readHeaders(source, charset);
  const body = source.subarray(bodyAt);
  const whole = isSeparated ? source : Buffer.concat([source.subarray(0, bodyAt), Buffer.from('\n'), body]);
  const addresses = (name: string) => headerValues(fields, name).flatMap(parseAddressList);
  const ids = (name: string) => parseMessageIds(headerValues(fields, name).join(' '));
  const date = firstHeaderValue(fields, 'date');
  const { html, text, attachments, problems } = await readBody({ source: whole, body, charset, shown });
  return {
    messageId: ids('message-id')[0] ?? null,
    inReplyTo: ids('in-reply-to'),
    references: ids('references'),
    from: author(fields, 'from'),
    sender: author(fields, 'sender'),
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

/** The message without a byte order mark or blank lines before its header, with line feeds where it has only returns. */
function normalise(raw: Uint8Array): Uint8Array {
  let start = raw[0] === 0xef && raw[1] === 0xbb && raw[2] === 0xbf ? 3 : 0;
  while (raw[start] === 0x0d || raw[start] === 0x0a) start++;
  const source = raw.subarray(start);
  return source.includes(0x0a) ? source : source.map((octet) => (octet === 0x0d ? 0x0a : octet));
}

function author(fields: readonly Header[], name: string): Address | null {
  for (const value of headerValues(fields, name)) {
    const address = parseAuthor(value);
    if (address !== null) return address;
  }
  return null;
}

/** A message that is being read: its octets, those after its header, and how to read them. */
interface Source {
  readonly source: Uint8Array;
  readonly body: Uint8Array;
  readonly charset: string;
  readonly shown: TextBudget;
}

async function readBody(message: Source): Promise<Body> {
  const { source, body, shown } = message;
  const first = await readMime(source, shown);
  if (first instanceof Error) return bareBody(message, first.message);
  if (!isEmpty(first)) return readableBody(first, message, []);
  const boundary = presumedBoundary(body);
  if (boundary === null) return bareBody(message, 'the message has no readable part');
  const delimited = Buffer.concat([
    Buffer.from(`Content-Type: multipart/mixed; boundary="${boundary}"\n`),
    source,
  ]);
  const second = await readMime(delimited, shown);
  if (second instanceof Error || isEmpty(second))
    return bareBody(message, 'the message has no readable part');
  return readableBody(second, { ...message, source: delimited }, ['the parts are not delimited as declared']);
}

function isEmpty({ text, html, attachments }: Email): boolean {
  return text === undefined && html === undefined && attachments.length === 0;
}

/** The boundary that a body evidently uses: a delimiter line with a part's header right after it. */
function presumedBoundary(body: Uint8Array): string | null {
  const text = Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('latin1');
  const [, boundary = null] = /^--([^\r\n"\\]{1,200}?)[ \t]*\r?\ncontent-[a-z-]{1,30}:/im.exec(text) ?? [];
  return boundary;
}

async function readableBody(read: Email, message: Source, problems: readonly string[]): Promise<Body> {
  const { reading, readAs } = await bestReading(read, message);
  const isUtf7 = claimsUtf7(message.source);
  // The reader makes text of html, and the other way about, where a message has parts of both that stand side by side.
  const tidy = (text = '', room: number) => {
    const beginning = truncateText(text, room);
    return tidyText(isUtf7 ? decodeUtf7(beginning) : beginning) || null;
  };
  const html = tidy(reading.html, message.shown.html);
  const shown = contentIdsIn(html ?? '');
  return {
    html,
    text: tidy(reading.text, message.shown.plain),
    attachments: read.attachments.map((part) => attachmentOf(part, shown)),
    problems:
      readAs === null
        ? problems
        : [...problems, `the text is not in the charset it claims; read as ${readAs}`],
  };
}

/**
 * The message, or where its text was misread, the same in a charset that fits. What claims ASCII and is not is read as
 * UTF-8 first: decoders take the label for windows-1252.
 */
async function bestReading(first: Email, { source, charset, shown }: Source): Promise<Reading> {
  const text = textOf(first);
  const isSuspect = isMisread(text) || (claimsAscii(source) && /[^\p{ASCII}]/u.test(text));
  for (const readAs of isSuspect ? likelyCharsets(charset) : []) {
    const reading = await readMime(source, shown, readAs);
    if (reading instanceof Error || isMisread(textOf(reading))) continue;
    return { reading, readAs: textOf(reading) === text ? null : readAs };
  }
  return { reading: first, readAs: null };
}

function textOf({ text = '', html = '' }: Email): string {
  return text + html;
}

/** @param readAs as in `rewriteParts` */
async function readMime(
  source: Uint8Array,
  shown: TextBudget,
  readAs: string | null = null,
): Promise<Email | Error> {
  if (delimiterLines(source) > delimiterLinesMax) return new Error('the message has too many parts');
  try {
    return await PostalMime.parse(rewriteParts(source, shown, readAs), { forceRfc822Attachments: true });
  } catch (cause) {
    // Past the reader's limits of depth or header size: the caller falls back to plain text.
    return cause instanceof Error ? cause : new Error(String(cause));
  }
}

function delimiterLines(source: Uint8Array): number {
  let count = 0;
  const bytes = Buffer.from(source.buffer, source.byteOffset, source.byteLength);
  for (let at = bytes.indexOf('\n--'); at >= 0; at = bytes.indexOf('\n--', at + 3)) count++;
  return count;
}

/** A body whose structure cannot be followed, as the text it is. */
function bareBody({ body, charset, shown }: Source, problem: string): Body {
  const text = tidyText(decodeBytes(truncateBytes(body, shown.plain), charset)) || null;
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
    attachments: utf8Bytes(body) > shown.plain ? [whole] : [],
    problems: text === null ? [] : [problem],
  };
}

function tidyText(text: string): string {
  return repairEscapes(text).replace(/\r\n?/g, '\n').replaceAll('\0', '').trimEnd();
}

/** The content ids that the html refers to. */
function contentIdsIn(html: string): ReadonlySet<string> {
  return new Set([...html.matchAll(/\bcid:([^"'\s<>)]+)/gi)].map(([, id = '']) => decodeUrl(id)));
}

function decodeUrl(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // A stray percent sign: the id is meant as written.
    return text;
  }
}

function attachmentOf(part: Part, shown: ReadonlySet<string>): ParsedAttachment {
  const cid = part.contentId?.trim().replace(/^</, '').replace(/>$/, '') || null;
  return {
    filename: filenameOf(part),
    contentType: part.mimeType || 'application/octet-stream',
    disposition: part.disposition || null,
    cid,
    content: bytesOf(part.content),
    relatedToHtml: cid !== null && shown.has(cid),
  };
}

/** The last segment of the name a part gives itself: what looks like a path is never one of ours. */
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
