/** How large a message a mail provider takes, and how large an email becomes at least. */
import type { MailboxProviderName } from './mailbox.ts';

const mebibyte = 1024 * 1024;

/**
 * Bytes of a composed message. Gmail: "Method: users.messages.send", Gmail API. Microsoft: a request of Graph has 4 MB ("Use
 * the Microsoft Graph API"), in which the message is base64; parts of a draft that are uploaded one by one may have more, but
 * need the permission to change mail.
 */
export const messageBytesMax: Readonly<Record<MailboxProviderName, number>> = {
  google: 35 * mebibyte,
  microsoft: 3 * mebibyte,
};

interface SizedContent {
  readonly text: string | null;
  readonly html: string | null;
  readonly files: readonly { readonly size: number; readonly contentType: string }[];
}

/** Bytes that the composed message has at least: bodies as they are, files in base64 with its line breaks (RFC 2045, 6.8). */
export function leastMessageBytes({ text, html, files }: SizedContent): number {
  const bodies = Buffer.byteLength(text ?? '') + Buffer.byteLength(html ?? '');
  return files.reduce((sum, file) => sum + leastPartBytes(file), bodies);
}

function leastPartBytes({ size, contentType }: SizedContent['files'][number]): number {
  // Messages are attached as they are (RFC 2046, 5.2.1).
  if (/^message\//i.test(contentType)) return size;
  const encoded = 4 * Math.ceil(size / 3);
  return encoded + 2 * Math.max(0, Math.ceil(encoded / 76) - 1);
}
