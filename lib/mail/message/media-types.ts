/** Media types of files. */
import { extname } from 'node:path';

/** Media types of common files; any other is `application/octet-stream`. */
const typesByExtension: Readonly<Record<string, string>> = {
  '.csv': 'text/csv',
  '.doc': 'application/msword',
  '.docx': 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  '.eml': 'message/rfc822',
  '.gif': 'image/gif',
  '.htm': 'text/html',
  '.html': 'text/html',
  '.ics': 'text/calendar',
  '.jpeg': 'image/jpeg',
  '.jpg': 'image/jpeg',
  '.json': 'application/json',
  '.md': 'text/markdown',
  '.mp3': 'audio/mpeg',
  '.mp4': 'video/mp4',
  '.odt': 'application/vnd.oasis.opendocument.text',
  '.ods': 'application/vnd.oasis.opendocument.spreadsheet',
  '.pdf': 'application/pdf',
  '.png': 'image/png',
  '.pptx': 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
  '.rtf': 'application/rtf',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain',
  '.vcf': 'text/vcard',
  '.webp': 'image/webp',
  '.xls': 'application/vnd.ms-excel',
  '.xlsx': 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  '.xml': 'application/xml',
  '.zip': 'application/zip',
};

/** The media type of a file by its name. */
export function mediaTypeOf(filename: string): string {
  return typesByExtension[extname(filename).toLowerCase()] ?? 'application/octet-stream';
}

const mediaType = /^[\w.+-]+\/[\w.+-]+$/;

/** The declared media type for a header; `application/octet-stream` where the declared text is no media type (RFC 2045, 5.1). */
export function namedType(contentType: string): string {
  return mediaType.test(contentType) ? contentType : 'application/octet-stream';
}
