/** Mails of the service to the members of a workspace. */
import type { OutgoingMessage } from '../../mail/writing/compose.ts';

export interface Notice {
  /** Identifies the occasion: each member gets one mail about it. Characters of a Message-ID. */
  readonly id: string;
  readonly subject: string;
  readonly lines: readonly string[];
  /** The same as HTML; absent: text only. */
  readonly html?: string;
}

/** The mail of a notice to one member. @param sender name and address @param atMs its date; Unix milliseconds */
export function noticeMail(
  { id, subject, lines, html }: Notice,
  sender: { readonly name: string; readonly address: string; readonly host: string },
  to: string,
  atMs: number,
): OutgoingMessage {
  return {
    from: { name: sender.name, address: sender.address },
    to: [{ name: null, address: to }],
    cc: [],
    replyTo: [],
    subject,
    html: html ?? null,
    text: [...lines, ''].join('\n'),
    messageId: `<${id}@${sender.host}>`,
    inReplyTo: null,
    references: [],
    date: atMs,
    // RFC 3834, section 5: automatic replies are not wanted.
    headers: [{ name: 'Auto-Submitted', value: 'auto-generated' }],
    attachments: [],
  };
}
