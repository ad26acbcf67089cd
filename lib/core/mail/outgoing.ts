/** Rules for outgoing mail: reserved headers and media types by file name. */
import { extname } from 'node:path';
import type { Disposition } from '../email.ts';
import type { AttachmentId } from '../ids.ts';

export interface OutgoingAttachment {
  readonly filename: string;
  readonly contentType: string;
  readonly content: Buffer;
  /** Content-ID without brackets, for images that the html shows. */
  readonly cid: string | null;
  readonly disposition?: Disposition | undefined;
}

/** A file in the request. */
export interface InlineAttachment extends Omit<OutgoingAttachment, 'contentType'> {
  /** null if the request names none. */
  readonly contentType: string | null;
}

/** A stored file: an upload, or an attachment of another email. */
export interface AttachmentReference {
  readonly attachmentId: AttachmentId;
  /** null: as stored. */
  readonly cid: string | null;
}

export type RequestedAttachment = InlineAttachment | AttachmentReference;

/** Headers that the service writes (docs/concepts/sending.md). */
const structuralHeaders = new Set([
  'from',
  'to',
  'cc',
  'bcc',
  'subject',
  'date',
  'message-id',
  'reply-to',
  'in-reply-to',
  'references',
  'mime-version',
  'dkim-signature',
  'received',
  'return-path',
  'sender',
  'authentication-results',
]);
const structuralPrefixes = ['content-', 'x-ses-', 'arc-'];

export function isStructuralHeader(name: string): boolean {
  const lower = name.toLowerCase();
  return structuralHeaders.has(lower) || structuralPrefixes.some((prefix) => lower.startsWith(prefix));
}

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
