/** What outgoing messages are made of: files, and the headers that the composer writes. */

export interface OutgoingAttachment {
  readonly filename: string;
  readonly contentType: string;
  readonly content: Buffer;
  /** Content-ID without brackets, for images that the html shows. */
  readonly cid: string | null;
  readonly disposition?: 'attachment' | 'inline' | undefined;
}

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
