/** Files of emails, and files uploaded ahead of their email (docs/concepts/attachments.md). */

import type { TextExtraction, TextFormat } from '../../mail/files/extracted-text.ts';
import type { StoredAttachment } from '../emails/email.ts';

export interface AttachmentRecord extends StoredAttachment {
  /** null: text extraction is pending, or (on outbound mail) not done. */
  readonly extraction: TextExtraction | null;
  /** The legacy charset that the part of a received message declares. */
  readonly charset?: string;
}

export interface Upload extends StoredAttachment {
  /** Unix milliseconds. From then on a send cannot name the upload; emails that used it keep their copies. */
  readonly expiresAt: number;
}

/** Prefix of uploads in the content bucket, apart from the workspaces' prefixes: a lifecycle rule takes one prefix. */
export const uploadPrefix = 'uploads/';

/** Media type of an extracted text, by its format. */
export const textMediaTypes: Readonly<Record<TextFormat, string>> = {
  markdown: 'text/markdown; charset=utf-8',
  text: 'text/plain; charset=utf-8',
};
