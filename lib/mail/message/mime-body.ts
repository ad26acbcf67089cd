/** The body of a message: texts in a readable form, and files with their exact bytes (RFC 2045–2049). */
import PostalMime, { type Attachment, type Email } from 'postal-mime';
import { decodeBytes, repairEscapes } from '../text/charsets.ts';
import { type TextBudget, truncateBytes, truncateText, utf8Bytes } from '../text/text-limits.ts';
import { baseFilename, cutBytes, fieldLimits } from './field-limits.ts';
import type { HeaderEnd } from './header-end.ts';
import { decodeText } from './headers.ts';
import { namedType } from './media-types.ts';
import { legacyCharsetOf, type PartFile, type PartText } from './mime-part.ts';
import { rewriteParts } from './mime-structure.ts';
import { type FilePart, type PlainBody, plainBody } from './plain-structure.ts';
import { type AttachedFile, openTnef } from './winmail.ts';

export interface ParsedAttachment extends AttachedFile {
  /** True if the html shows it by `cid:`. */
  readonly relatedToHtml: boolean;
}

export interface ParsedBody {
  readonly html: string | null;
  readonly text: string | null;
  readonly attachments: readonly ParsedAttachment[];
  /** Deviations from the standards that were worked around, for operators. */
  readonly problems: readonly string[];
}

/** A message to read. */
export interface BodySource {
  /** Header and body, whose lines end in LF or CRLF. */
  readonly source: Uint8Array;
  readonly header: HeaderEnd;
  /** Charset of undeclared text that is not UTF-8. */
  readonly charset: string;
  readonly textBudget: TextBudget;
  /** Whether the lines of the message ended in CR alone. */
  readonly hadReturnsOnly: boolean;
}

type ParsedEmail = Pick<Email, 'text' | 'html' | 'attachments'> | PlainBody;
type Part = Attachment | FilePart;

/** The parts of a message as the MIME parser returns them, and what it did not see. */
interface Parts {
  readonly email: ParsedEmail;
  readonly files: readonly PartFile[];
  readonly replacedCharsets: readonly string[];
  readonly isRepaired: boolean;
  readonly isHtmlAlone: boolean;
}

/** Reads the body of a message. Never rejects: a body of invalid structure is returned as text, with a problem. */
export async function readBody(message: BodySource): Promise<ParsedBody> {
  const parts = await readParts(message);
  return parts instanceof Error ? bareBody(message, parts.message) : await bodyOf(parts, message);
}

async function readParts({
  source,
  header,
  charset,
  textBudget,
  hadReturnsOnly,
}: BodySource): Promise<Parts | Error> {
  try {
    const rewritten = rewriteParts(source, { header, textBudget, fallbackCharset: charset, hadReturnsOnly });
    const { texts, files, replacedCharsets, isRepaired } = rewritten;
    const email =
      (texts === null ? null : plainBody(texts, files)) ??
      (await PostalMime.parse(rewritten.source, { forceRfc822Attachments: true }));
    return {
      files,
      replacedCharsets,
      isRepaired,
      email,
      isHtmlAlone: texts !== null && beginsWithHtml(texts),
    };
  } catch (cause) {
    // Over the parser's limits of depth or header size: the caller falls back to plain text.
    return cause instanceof Error ? cause : new Error(String(cause));
  }
}

/** Whether the body is html without plain text beside it. Parts below it, such as footers of lists, are in the html, too. */
function beginsWithHtml([first, ...others]: readonly PartText[]): boolean {
  if (first?.kind !== 'html') return false;
  return !others.some(
    ({ kind, alternative }) => kind === 'plain' && alternative && alternative === first.alternative,
  );
}

async function bodyOf(
  { email, files, replacedCharsets, isRepaired, isHtmlAlone }: Parts,
  { textBudget }: BodySource,
): Promise<ParsedBody> {
  // The parser converts between text and html if a message has separate parts of both, so texts may exceed the budget.
  const tidy = (text: string, bytesMax: number) => tidyText(truncateText(text, bytesMax)) || null;
  const ownHtml = tidy(email.html ?? '', textBudget.html);
  const isHtmlWhole = ownHtml !== null && Buffer.byteLength(email.html ?? '') <= textBudget.html;
  // What the parser makes of html has no marks of quotes and lists.
  const ownText = isHtmlAlone && isHtmlWhole ? null : tidy(email.text ?? '', textBudget.plain);
  const own = { html: ownHtml, text: ownText };
  const opened = await openTnef(
    email.attachments.map((part) => attachmentOf(part, files)),
    { ...own, textBudget },
  );
  const html = opened.html === null ? own.html : tidy(opened.html, textBudget.html);
  const contentIds = contentIdsIn(html ?? '');
  return {
    html,
    text: opened.text === null ? own.text : tidy(opened.text, textBudget.plain),
    attachments: opened.attachments.map((file) => ({
      ...file,
      relatedToHtml: file.cid !== null && contentIds.has(file.cid),
    })),
    problems: [
      ...(isRepaired ? ['the parts are not delimited as declared'] : []),
      ...opened.problems,
      ...replacedCharsets.map(
        (charset) => `the text is not in the charset it declares; decoded as ${charset}`,
      ),
    ],
  };
}

/** A body of invalid structure, as plain text. */
function bareBody({ source, header, charset, textBudget }: BodySource, problem: string): ParsedBody {
  const body = source.subarray(header.bodyAt);
  const decoded = decodeBytes(truncateBytes(body, textBudget.plain), charset);
  const text = tidyText(repairEscapes(decoded)) || null;
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
  return text.replace(/\r\n?/g, '\n').replaceAll('\0', '').trimEnd();
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

function attachmentOf(part: Part, files: readonly PartFile[]): AttachedFile {
  const cid = contentIdOf(part.contentId ?? '');
  const file = files[indexIn(part.content)];
  const charset = file ? legacyCharsetOf(file.header) : null;
  return {
    filename: filenameOf(part, file?.encodedName ?? null),
    contentType: mediaTypeOf(part),
    disposition: file?.disposition ?? null,
    cid: cid === null ? null : cutBytes(cid, fieldLimits.contentIdBytes),
    ...(charset && { charset }),
    content: file?.content ?? new Uint8Array(),
  };
}

/** Without angle brackets; null if empty. */
function contentIdOf(value: string): string | null {
  const id = value.trim();
  return id.slice(id.startsWith('<') ? 1 : 0, id.endsWith('>') ? -1 : undefined) || null;
}

/** Text that is no media type breaks the headers that it is written into, such as those of S3. */
function mediaTypeOf({ mimeType = '' }: Part): string {
  return namedType(mimeType.length <= fieldLimits.mediaTypeBytes ? mimeType : '');
}

/** The index of a file, which `rewriteParts` wrote in place of its content. */
function indexIn(content: Part['content']): number {
  const bytes = typeof content === 'string' ? Buffer.from(content) : Buffer.from(new Uint8Array(content));
  return Number.parseInt(bytes.toString('latin1'), 10);
}

function filenameOf(part: Part, encodedName: string | null): string | null {
  const base = baseFilename(decodeText(part.filename ?? encodedName ?? ''));
  if (base) return base;
  return part.mimeType === 'message/rfc822' ? 'message.eml' : null;
}
