/**
 * The body of a message of plain structure, without the MIME parser, which takes several times as long: texts of one
 * kind or of one `multipart/alternative`, and files whose headers need no decoding. Returns what the parser returns.
 */
import { decodeWords } from 'postal-mime';
import { decoderOf } from '../text/charsets.ts';
import type { PartFile, PartText } from './mime-part.ts';
import type { PartHeader } from './part-header.ts';

/** A file as the MIME parser describes it; `content` is its index among the files of the message. */
export interface FilePart {
  readonly filename: string | null;
  readonly mimeType: string;
  readonly contentId?: string;
  readonly content: string;
}

/** Without a text of a kind, or with an empty one, the property is missing. */
export interface PlainBody {
  readonly text?: string;
  readonly html?: string;
  readonly attachments: readonly FilePart[];
}

/** The body of a message with these parts, in order; null where the MIME parser is needed. */
export function plainBody(texts: readonly PartText[], files: readonly PartFile[]): PlainBody | null {
  const alternatives = new Set(texts.map(({ alternative }) => alternative));
  const kinds = new Set(texts.map(({ kind }) => kind));
  // The parser converts between plain text and html where they are not alternatives of each other.
  if (kinds.size > 1 && (alternatives.size > 1 || alternatives.has(null))) return null;
  if (alternatives.size > (alternatives.has(null) ? 2 : 1)) return null;
  const attachments = files.map(filePart);
  const contents = texts.map(({ charset, content }) => decoderOf(charset)?.decode(content) ?? null);
  if (attachments.includes(null) || contents.includes(null)) return null;
  const joined = (wanted: PartText['kind']) =>
    contents.filter((_, index) => texts[index]?.kind === wanted).join('\n');
  const [text, html] = [joined('plain'), joined('html')];
  return {
    ...(text === '' ? {} : { text }),
    ...(html === '' ? {} : { html }),
    attachments: attachments.filter((part) => part !== null),
  };
}

/** Null where the header has comments, escapes, sections of parameters (RFC 2231) or unencoded 8-bit characters. */
function filePart({ header }: PartFile, index: number): FilePart | null {
  if (header.fields.some((field) => /[^\t\n\r\x20-\x7e]|\r[^\n]/.test(field))) return null;
  const type = plainParameters(header.type);
  const disposition = plainParameters(header.disposition);
  if (type === null || disposition === null || type.value === '') return null;
  const filename = disposition.parameters.get('filename') || type.parameters.get('name') || null;
  const contentId = contentIdOf(header);
  return {
    filename: filename === null ? null : decodeWords(filename),
    mimeType: type.value.toLowerCase(),
    ...(contentId === '' ? {} : { contentId }),
    content: String(index),
  };
}

const plainValue = /^[^;"()\\\s]*[ \t]*(?=;|$)/;
const plainParameter = /;[ \t]*(?:([\w-]+)=(?:"([^"\\]*)"|([^;"()\\\s]*))[ \t]*(?=;|$)|(?=;|$))/y;

/** A structured header value without anything unusual; null for any other. The first of equal parameters counts. */
function plainParameters(
  header: string,
): { readonly value: string; readonly parameters: ReadonlyMap<string, string> } | null {
  const [value] = plainValue.exec(header) ?? [];
  if (value === undefined) return null;
  const parameters = new Map<string, string>();
  for (let at = value.length; at < header.length; at = plainParameter.lastIndex) {
    plainParameter.lastIndex = at;
    const match = plainParameter.exec(header);
    if (match === null) return null;
    const name = match[1]?.toLowerCase();
    if (name !== undefined && !parameters.has(name)) parameters.set(name, match[2] ?? match[3] ?? '');
  }
  return { value: value.trimEnd(), parameters };
}

function contentIdOf({ fields }: PartHeader): string {
  const field = fields.find((one) => /^content-id[ \t]*:/i.test(one)) ?? '';
  return field
    .slice(field.indexOf(':') + 1)
    .replace(/[\r\n]+/g, '')
    .trim();
}
