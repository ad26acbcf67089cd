/** Messages that the people of the local inbox write. */
import { randomBytes, randomUUID } from 'node:crypto';
import { createTransport, type SendMailOptions } from 'nodemailer';
import type { QuoteStyle } from './quotes.ts';

export interface WrittenMail {
  readonly from: { readonly name: string; readonly address: string };
  readonly to: readonly string[];
  readonly cc: readonly string[];
  readonly subject: string;
  readonly text: string;
  /** null: plain text only. */
  readonly html: string | null;
  readonly files: readonly WrittenFile[];
  /** The ids of the thread, the answered message last; empty: a new conversation. */
  readonly references: readonly string[];
  /** The mail program. */
  readonly style: QuoteStyle;
  /** Added fields. */
  readonly headers: Readonly<Record<string, string>>;
}

export interface WrittenFile {
  readonly filename: string;
  /** Media type. */
  readonly type: string;
  readonly content: Buffer;
}

/** The bytes of a message. @param at time of the Date field, Unix milliseconds */
export async function composed(written: WrittenMail, at: number): Promise<Buffer> {
  const { from, files, html, references, style } = written;
  const transport = createTransport({ streamTransport: true, buffer: true, newline: 'windows' });
  const mail: SendMailOptions = {
    from,
    to: [...written.to],
    cc: [...written.cc],
    subject: written.subject,
    text: written.text,
    ...(html !== null && { html }),
    attachments: files.map(({ filename, type, content }) => ({ filename, contentType: type, content })),
    date: new Date(at),
    messageId: messageIdOf(style, from.address),
    ...(references.length > 0 && { inReplyTo: references.at(-1) ?? '', references: references.join(' ') }),
    headers: { ...programHeaders[style], ...written.headers },
    // Text that is not from here.
    disableFileAccess: true,
    disableUrlAccess: true,
  };
  const { message } = await transport.sendMail(mail);
  return message as Buffer;
}

const programHeaders: Readonly<Record<QuoteStyle, Readonly<Record<string, string>>>> = {
  gmail: {},
  outlook: { 'Accept-Language': 'en-US', 'Content-Language': 'en-US' },
  apple: { 'X-Mailer': 'Apple Mail (2.3826.600.51.1.1)' },
};

function messageIdOf(style: QuoteStyle, address: string): string {
  if (style === 'gmail') return `<CA+${randomBytes(30).toString('base64url')}@mail.gmail.com>`;
  if (style === 'outlook')
    return `<${randomBytes(12).toString('hex').toUpperCase()}@AM0PR01MB0001.eurprd01.prod.outlook.com>`;
  return `<${randomUUID().toUpperCase()}@${address.split('@').at(-1)}>`;
}
