/** Rules for outgoing mail: its files and reserved headers. */
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
