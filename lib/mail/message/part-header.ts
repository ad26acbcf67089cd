/** The content fields of a MIME part (RFC 2045 5, RFC 2183), and the kind of text that they declare. */
import { isAscii, isUtf8 } from 'node:buffer';
import { decodeBytes } from '../text/charsets.ts';
import type { TextBudget } from '../text/text-limits.ts';
import { type Alternative, boundaryMax, type Multipart } from './multiparts.ts';

/** The content fields of a MIME part. */
export interface PartHeader {
  readonly fields: readonly string[];
  /** Values unfolded; empty if the field is missing. */
  readonly type: string;
  readonly encoding: string;
  readonly disposition: string;
  /** The innermost `multipart/alternative` around the part, which is a representation of the body, never a file. */
  readonly alternative: Alternative | null;
}

export type TextKind = keyof TextBudget;

/** The text that a part declares to be. */
export interface DeclaredText {
  readonly kind: TextKind;
  /** Lower case; empty where the part declares none. */
  readonly subtype: string;
  /** `exact`: the kind. `unknown`: another kind of text. `broken`: nothing that can be understood, or nothing at all. */
  readonly form: 'exact' | 'unknown' | 'broken';
}

const namedPart = /;\s*(?:file)?name\*?(?:\d+\*?)?\s*=/i;
/** Main type and subtype, also where punctuation is wrong. */
const typeForm = /^["'\s]*([\w.+-]*)(?:\s*[/\\]["'\s]*([\w.+-]*))?/;
const multipartSubtype = /^(?:mixed|alternative|related|report|signed|digest|parallel)$/;
/** Texts that are files: formats of programs, not of readers. */
const fileSubtype =
  /^(?:x-)?(?:v?calendar|v-?card|directory|csv|comma-separated-values|tab-separated-values|rfc822-headers?|rtf|xml|css|javascript|ecmascript|json|yaml|sql|python|java|c|c\+\+|sh|perl|php)$|\+xml$/;
/** Main types of files. */
const fileType = /^(?:application|image|audio|video|message|multipart|font|model)$/;

/** Reads the header of a part, one character a byte, with unencoded 8-bit filenames in UTF-8. */
export function readPartHeader(
  header: Buffer,
  parent: Multipart | undefined,
  fallbackCharset: string,
): PartHeader {
  const fields = contentFields(textOf(header, fallbackCharset));
  // The first of equal fields counts.
  const values = new Map(fields.map(nameAndValue).reverse());
  const type = values.get('content-type') ?? '';
  // RFC 2046 5.1.5: a part of a digest is a message by default.
  const isMessage = type === '' && parent?.subtype === 'digest';
  return {
    fields: isMessage ? [...fields, 'Content-Type: message/rfc822'] : fields,
    type: isMessage ? 'message/rfc822' : type,
    encoding: values.get('content-transfer-encoding') ?? '',
    disposition: values.get('content-disposition') ?? '',
    alternative: parent?.alternative ?? null,
  };
}

function contentFields(header: string): string[] {
  const start = header.search(/(?:^|\n)content-/i);
  if (start < 0) return [];
  return (
    header
      .slice(start)
      // Some programs do not indent a folded boundary.
      .split(/\n(?![ \t]|boundary[ \t]{0,20}=)/i)
      .filter((field) => /^content-[a-z-]{2,20}[ \t]{0,20}:/i.test(field))
      .map((field) => withSlashes(field.trimEnd()))
  );
}

const namedParameter = /(name\*?\d{0,3}\*?\s{0,20}=\s{0,20})("(?:[^"\\]|\\.)*"?|[^;]*)/gi;

/** Windows paths in names: a backslash escapes nothing there but quotation marks and itself (RFC 2045 5.1). */
function withSlashes(field: string): string {
  if (!field.includes('\\')) return field;
  return field.replace(
    namedParameter,
    (_, name: string, value: string) =>
      name + value.replace(/\\(["\\])|\\/g, (pair, kept) => (kept ? pair : '/')),
  );
}

function nameAndValue(field: string): [name: string, value: string] {
  const colon = field.indexOf(':');
  const value = field.slice(colon + 1);
  return [
    field.slice(0, colon).trimEnd().toLowerCase(),
    (value.includes('\n') ? value.replace(/[\r\n]+/g, '') : value).trim(),
  ];
}

function textOf(header: Buffer, fallbackCharset: string): string {
  if (isAscii(header) || isUtf8(header)) return header.toString('latin1');
  return Buffer.from(decodeBytes(header, fallbackCharset)).toString('latin1');
}

/** The subtype of a multipart in lower case; null for any other part. */
export function multipartSubtypeOf({ type }: PartHeader): string | null {
  if (/^multipart\//i.test(type)) return /^multipart\/([\w.+-]*)/i.exec(type)?.[1]?.toLowerCase() ?? '';
  const [, main = '', sub] = typeForm.exec(type.slice(0, 200)) ?? [];
  const name = main.toLowerCase();
  if (name === 'multipart') return sub?.toLowerCase() ?? 'mixed';
  return sub === undefined && multipartSubtype.test(name) && boundaryOf(type) !== '' ? name : null;
}

/** The boundary parameter of a media type, also in sections (RFC 2231 3); empty if missing or too long. */
export function boundaryOf(type: string): string {
  const [, quoted, token = ''] =
    /(?:;\s*|\s)boundary\s*=\s*(?:"((?:[^"\\]|\\.)*)|([^";]*))/i.exec(type) ?? [];
  // A comment may follow the token.
  const named = quoted?.replace(/\\(.)/g, '$1') ?? (token.replace(/\s\(.*/, '').trim() || inSections(type));
  return named.length > boundaryMax ? '' : named.trimEnd();
}

function inSections(type: string): string {
  return [...type.matchAll(/;\s*boundary\*\d+\s*=\s*"?([^";]*)/gi)].map(([, section]) => section).join('');
}

/**
 * The text that a part declares to be; null for a file. A type that cannot be understood is plain text (RFC 2045 5.2), as is
 * an unknown text (RFC 2046 4.1.4), unless it has a name.
 */
export function declaredText(header: PartHeader): DeclaredText | null {
  const { type, disposition } = header;
  if (/^attachment\b/i.test(disposition)) return null;
  if (type === '') return { kind: 'plain', subtype: '', form: 'broken' };
  const { main, subtype, isCut } = typeOf(type);
  const isText = main === 'text';
  if (isText && (subtype === 'plain' || subtype === 'html')) return { kind: subtype, subtype, form: 'exact' };
  if (isNamed(header) || fileSubtype.test(subtype) || (isCut && fileType.test(main))) return null;
  if (isCut) return { kind: 'plain', subtype: '', form: 'broken' };
  return isText ? { kind: subtype.includes('html') ? 'html' : 'plain', subtype, form: 'unknown' } : null;
}

/** Main type and subtype in lower case; `html` alone is a subtype of text. */
function typeOf(type: string) {
  const [, first = '', second = ''] = typeForm.exec(type.slice(0, 200)) ?? [];
  const [main, subtype] = [first.toLowerCase(), second.toLowerCase()];
  if (subtype === '' && /^(?:plain|html)$/.test(main)) return { main: 'text', subtype: main, isCut: false };
  return { main, subtype, isCut: subtype === '' };
}

export function isNamed({ type, disposition }: PartHeader): boolean {
  return namedPart.test(type) || namedPart.test(disposition);
}
