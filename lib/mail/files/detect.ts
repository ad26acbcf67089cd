/** File type detection: by content, else by the declared media type and the file name. */
import { isUtf8 } from 'node:buffer';
import { extname } from 'node:path';
import { bufferOf } from '../text/octets.ts';
import type { SourceFile } from './reader.ts';

export const fileTypes = [
  'pdf',
  'docx',
  'xlsx',
  'pptx',
  'odt',
  'ods',
  'odp',
  'html',
  'csv',
  'json',
  'xml',
  'rtf',
  'eml',
  'calendar',
  'text',
] as const;
export type FileType = (typeof fileTypes)[number];

const office = 'application/vnd.openxmlformats-officedocument';
const openDocument = 'application/vnd.oasis.opendocument';

const typesByMedia: Readonly<Record<string, FileType>> = {
  'application/pdf': 'pdf',
  'application/x-pdf': 'pdf',
  [`${office}.wordprocessingml.document`]: 'docx',
  [`${office}.spreadsheetml.sheet`]: 'xlsx',
  [`${office}.presentationml.presentation`]: 'pptx',
  [`${openDocument}.text`]: 'odt',
  [`${openDocument}.spreadsheet`]: 'ods',
  [`${openDocument}.presentation`]: 'odp',
  'text/html': 'html',
  'application/xhtml+xml': 'html',
  'text/csv': 'csv',
  'text/tab-separated-values': 'csv',
  'application/csv': 'csv',
  'application/json': 'json',
  'application/ld+json': 'json',
  'application/xml': 'xml',
  'text/xml': 'xml',
  'application/rtf': 'rtf',
  'text/rtf': 'rtf',
  'message/rfc822': 'eml',
  'message/global': 'eml',
  'application/x-mimearchive': 'eml',
  'text/calendar': 'calendar',
  'application/ics': 'calendar',
};

const typesByExtension: Readonly<Record<string, FileType>> = {
  '.pdf': 'pdf',
  '.docx': 'docx',
  '.docm': 'docx',
  '.xlsx': 'xlsx',
  '.xlsm': 'xlsx',
  '.pptx': 'pptx',
  '.pptm': 'pptx',
  '.odt': 'odt',
  '.ods': 'ods',
  '.odp': 'odp',
  '.html': 'html',
  '.htm': 'html',
  '.xhtml': 'html',
  '.csv': 'csv',
  '.tsv': 'csv',
  '.json': 'json',
  '.xml': 'xml',
  '.rtf': 'rtf',
  '.eml': 'eml',
  '.mht': 'eml',
  '.mhtml': 'eml',
  '.ics': 'calendar',
  '.ical': 'calendar',
  '.txt': 'text',
  '.md': 'text',
  '.log': 'text',
};

/** The media type of a file type. */
export function mediaTypeOfFile(type: FileType): string {
  return Object.entries(typesByMedia).find(([, named]) => named === type)?.[0] ?? 'text/plain';
}

/** Types with a signature. */
const signed: ReadonlySet<FileType> = new Set(['pdf', 'docx', 'xlsx', 'pptx', 'odt', 'ods', 'odp', 'rtf']);

/** Detection reads this many bytes. */
const sampleBytes = 64 * 1024;

/** The declared type: by media type, else by file name; null if unsupported. */
export function claimedType({ filename, contentType }: SourceFile): FileType | null {
  const media = contentType.toLowerCase();
  return typesByMedia[media] ?? typesByExtension[extname(filename).toLowerCase()] ?? typeOfFamily(media);
}

function typeOfFamily(media: string): FileType | null {
  if (media.endsWith('+json')) return 'json';
  if (media.endsWith('+xml')) return 'xml';
  return media.startsWith('text/') ? 'text' : null;
}

/**
 * The type whose reader reads the file; null if unsupported. Content takes precedence over the declared type: text
 * declared as PDF is read as text. Binary content keeps its declared type, so that the reader can report the damage.
 */
export function fileTypeOf(file: SourceFile): FileType | null {
  const bytes = bufferOf(file.bytes);
  const claimed = claimedType(file);
  const proven = typeBySignature(bytes);
  if (proven) return proven;
  if (!isText(bytes, claimed)) return isCompound(bytes) ? typeOfCompound(bytes, claimed) : claimed;
  if (claimed && claimed !== 'text' && claimed !== 'xml' && !signed.has(claimed)) return claimed;
  return isForeignText(bytes) ? null : claimed === 'xml' ? claimed : typeOfText(bytes);
}

/**
 * Documents and workbooks in one XML file (of Office 2003, of a package, of OpenDocument), and PostScript: their text
 * is in between markup that is not for people.
 */
const foreignText =
  /^%!ps|<office:document\s|urn:schemas-microsoft-com:office:spreadsheet|schemas\.microsoft\.com\/office\/(?:word\/2003\/wordml|2006\/xmlpackage)/;

function isForeignText(bytes: Buffer): boolean {
  const start = startOf(bytes, 4096);
  return (start.startsWith('<') || start.startsWith('%!ps')) && !isHtml(start) && foreignText.test(start);
}

/** The type by signature or by the parts of an archive; null if unsupported. */
export function typeBySignature(bytes: Buffer): FileType | null {
  // PDF readers accept the header anywhere in the first KB.
  if (bytes.subarray(0, 1024).includes('%PDF-')) return 'pdf';
  if (bytes.subarray(0, 5).toString('latin1') === '{\\rtf') return 'rtf';
  return bytes.subarray(0, 4).toString('latin1') === 'PK\u0003\u0004' ? typeOfArchive(bytes) : null;
}

function typeOfArchive(bytes: Buffer): FileType | null {
  const head = bytes.subarray(0, 256).toString('latin1');
  if (head.includes(`mimetype${openDocument}.text`)) return 'odt';
  if (head.includes(`mimetype${openDocument}.spreadsheet`)) return 'ods';
  if (head.includes(`mimetype${openDocument}.presentation`)) return 'odp';
  const names = directoryOf(bytes);
  if (!names.includes('[Content_Types].xml')) return null;
  if (names.includes('word/document')) return 'docx';
  if (names.includes('xl/workbook.xml')) return 'xlsx';
  return names.includes('ppt/presentation') ? 'pptx' : null;
}

/**
 * The central directory of an archive, where part names are not compressed (APPNOTE 4.3.12): the parts themselves may
 * hold documents of other types, such as the workbook of a chart. All bytes of an archive without one.
 */
function directoryOf(bytes: Buffer): Buffer {
  const end = bytes.lastIndexOf('PK\u0005\u0006', undefined, 'latin1');
  if (end < 0 || end + 20 > bytes.length) return bytes;
  const from = bytes.readUInt32LE(end + 16);
  return from < end && bytes.toString('latin1', from, from + 4) === 'PK\u0001\u0002'
    ? bytes.subarray(from, end)
    : bytes;
}

const compoundSignature = Buffer.from('d0cf11e0a1b11ae1', 'hex');
const isCompound = (bytes: Buffer): boolean => bytes.subarray(0, 8).equals(compoundSignature);

/** A compound file is an encrypted Office document, or an unsupported one from before Office 2007. */
function typeOfCompound(bytes: Buffer, claimed: FileType | null): FileType | null {
  return isEncryptedOffice(bytes) ? (claimed ?? 'docx') : null;
}

/** Whether the file is a password-protected Office document ([MS-OFFCRYPTO] 2.3.4.4). */
export function isEncryptedOffice(bytes: Uint8Array): boolean {
  const buffer = bufferOf(bytes);
  return isCompound(buffer) && buffer.includes(Buffer.from('EncryptedPackage', 'utf16le'));
}

/** Whether the content is text. Legacy charsets count only if the file is declared as text. */
function isText(bytes: Buffer, claimed: FileType | null): boolean {
  const sample = bytes.subarray(0, sampleBytes);
  if (/^(?:\xff\xfe|\xfe\xff|\xef\xbb\xbf)/.test(sample.subarray(0, 3).toString('latin1'))) return true;
  const controls = sample.filter((byte) => byte < 32 && !(byte >= 8 && byte <= 13) && byte !== 27).length;
  if (controls > 0) return claimed !== null && !signed.has(claimed) && wideCharset(sample) !== null;
  // The sample may end within a character.
  const isUnicode = [0, 1, 2, 3].some((cut) => isUtf8(sample.subarray(0, sample.length - cut)));
  return isUnicode || (claimed !== null && !signed.has(claimed));
}

/**
 * The charset of UTF-16 without a byte order mark; null for other content. Line ends, digits and separators have a zero
 * in one half of each pair, whatever the script, and legacy charsets have no zeros.
 */
export function wideCharset(sample: Uint8Array): 'utf-16le' | 'utf-16be' | null {
  const zeros = [0, 0];
  for (const [at, byte] of sample.entries()) if (byte === 0) zeros[at & 1] = (zeros[at & 1] ?? 0) + 1;
  const [even = 0, odd = 0] = zeros;
  const most = Math.max(even, odd);
  if (most === 0 || Math.min(even, odd) >= Math.max(1, sample.length / 50)) return null;
  const charset = even > odd ? 'utf-16be' : 'utf-16le';
  // Text with stray zeros in it, or binary content.
  const text = new TextDecoder(charset).decode(sample.subarray(0, sample.length & ~1), { stream: true });
  const odds = text.match(/(?![\t\n\v\f\r])[\p{Cc}\p{Cn}\p{Co}\ufffd]/gu)?.length ?? 0;
  return odds * 50 <= text.length ? charset : null;
}

/** The start of a text, in lower case. */
function startOf(bytes: Buffer, length: number): string {
  const sample = bytes.subarray(0, length);
  const charset = wideCharset(sample);
  return (charset ? new TextDecoder(charset).decode(sample) : sample.toString('latin1'))
    .replace(/^(?:\xef\xbb\xbf|\ufeff|\s)+/, '')
    .toLowerCase();
}

const isHtml = (start: string): boolean => /^(?:<!doctype html|<html[\s>])/.test(start);

function typeOfText(bytes: Buffer): FileType {
  const start = startOf(bytes, 1024);
  if (start.startsWith('begin:vcalendar')) return 'calendar';
  if (isHtml(start)) return 'html';
  // Web pages that Word saves as one file.
  if (start.startsWith('mime-version:')) return 'eml';
  return start.startsWith('<?xml') ? 'xml' : 'text';
}
