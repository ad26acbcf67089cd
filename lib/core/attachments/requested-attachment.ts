/** The files of a send request. */
import type { OutgoingAttachment } from '../../mail/writing/outgoing.ts';
import type { AttachmentId } from '../ids.ts';

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
