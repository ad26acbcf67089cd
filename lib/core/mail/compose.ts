/** Writing a message: MIME that strict readers take and no relay has a reason to rewrite (RFC 5322, 2045–2047, 2231). */
import { isAscii } from 'node:buffer';
import { createHash } from 'node:crypto';
import MailComposer, { type MailComposerAttachment } from 'nodemailer/lib/mail-composer';
import { encodeWord, foldLines } from 'nodemailer/lib/mime-funcs';
import type { Header } from '../email.ts';
import type { Address } from './addresses.ts';
import { isStructuralHeader, type OutgoingAttachment } from './outgoing.ts';

export interface OutgoingMessage {
  readonly from: Address;
  readonly to: readonly Address[];
  readonly cc: readonly Address[];
  readonly replyTo: readonly Address[];
  /** Without line breaks. There is no Bcc: it is a matter of the envelope alone. */
  readonly subject: string;
  readonly html: string | null;
  readonly text: string | null;
  /** With angle brackets, as are the ids below. */
  readonly messageId: string;
  readonly inReplyTo: string | null;
  /** Oldest first. A long chain is written without its middle. */
  readonly references: readonly string[];
  /** Unix milliseconds. */
  readonly date: number;
  /** Headers beside the structural ones, which are left out here whatever they say. */
  readonly headers: readonly Header[];
  readonly attachments: readonly OutgoingAttachment[];
}

/** Octets of a line that a folded header or a 7-bit body may have (RFC 5322 2.1.1). */
const lineOctetsMax = 998;
const encodedWordOctets = 64;
/** How many of the last ids a `References` header keeps beside the first (RFC 5322 leaves it to us; RFC 5537 3.4.4). */
const lastReferencesKept = 20;

const fieldName = /^[\x21-\x39\x3b-\x7e]+$/;
const printable = /^[\x20-\x7e]*$/;
/** What folding at white space cannot make short lines of, or would make blank lines of. */
const unfoldable = /\S{900}|\s{60}|^\s|\s$/;
const wireId = /^<[\x21-\x3b\x3d\x3f-\x7e]{1,900}>$/;
const mediaType = /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+(?:\s*;[\x20-\x7e]*)?$/;

/**
 * The raw message: CRLF line ends, 7-bit throughout, lines under 998 octets. `alternative` holds text and html, `related`
 * the images the html shows by `cid:`, `mixed` the files. The same input gives the same octets.
 */
export async function composeMessage(message: OutgoingMessage): Promise<Buffer> {
  const { from, to, cc, replyTo, html, text, messageId, inReplyTo, references, date } = message;
  const composer = new MailComposer({
    from: mailbox(from),
    to: to.map(mailbox),
    cc: cc.map(mailbox),
    replyTo: replyTo.map(mailbox),
    messageId,
    ...(inReplyTo !== null && wireId.test(inReplyTo) ? { inReplyTo } : {}),
    references: referencesKept(references).join(' '),
    date: new Date(date),
    ...(text === null ? {} : { text: withCrlf(text) }),
    ...(html === null ? {} : { html: withCrlf(html) }),
    attachments: message.attachments.map((attachment) => attachmentPart(attachment, html ?? '')),
    // `=_` cannot occur in quoted-printable text, so no body can hold its own boundary.
    boundaryPrefix: '=_',
    baseBoundary: createHash('sha256').update(messageId).digest('hex').slice(0, 24),
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  // Ours are written here: the composer changes the case of names and encodes every value that holds a quote.
  const fields = [
    ...(message.subject === ''
      ? []
      : [headerField('Subject', message.subject, message.subject.includes('=?'))]),
    ...message.headers.filter(isFreeHeader).map(({ name, value }) => headerField(name, value)),
  ];
  return Buffer.concat([Buffer.from(fields.join('')), await composer.compile().build()]);
}

/** The first id, which names the conversation, and the last ones, which name the place in it; those that fit on a line. */
function referencesKept(references: readonly string[]): string[] {
  const ids = [...new Set(references)].filter((id) => wireId.test(id));
  return ids.length <= lastReferencesKept + 1 ? ids : [...ids.slice(0, 1), ...ids.slice(-lastReferencesKept)];
}

function isFreeHeader({ name }: Header): boolean {
  return fieldName.test(name) && !isStructuralHeader(name);
}

/** A folded header field with its line end. What would not survive as it is becomes encoded words. */
function headerField(name: string, value: string, mustEncode = false): string {
  const isPlain = !mustEncode && printable.test(value) && !unfoldable.test(value);
  const written = isPlain
    ? value
    : encodeWord(value, isAscii(Buffer.from(value)) ? 'Q' : 'B', encodedWordOctets);
  return `${foldLines(`${name}: ${written}`)}\r\n`;
}

function attachmentPart(attachment: OutgoingAttachment, html: string): MailComposerAttachment {
  const { filename, content, cid } = attachment;
  const contentType = carriedType(attachment);
  const isMessage = contentType.startsWith('message/');
  const id = cid === null ? null : encodeURI(cid.toWellFormed().replace(/[<>\s]/g, ''));
  const isShown = id !== null && cid !== null && (html.includes(`cid:${cid}`) || html.includes(`cid:${id}`));
  return {
    filename,
    contentType,
    content: isMessage ? Buffer.from(withCrlf(content.toString('latin1')), 'latin1') : content,
    contentDisposition: isShown ? 'inline' : 'attachment',
    contentTransferEncoding: isMessage ? '7bit' : 'base64',
    // Readers hide what is `related` and not shown, so only what the html refers to goes there.
    ...(id === null ? {} : isShown ? { cid: id } : { headers: { 'Content-ID': `<${id}>` } }),
  };
}

/**
 * The media type a part may have. A message must not be encoded (RFC 2046 5.2.1), so one that is not 7-bit goes as an
 * opaque file, as does what claims to be multipart or no type at all.
 */
function carriedType({ contentType, content }: OutgoingAttachment): string {
  const isMessage = /^message\//i.test(contentType);
  const isCarried = mediaType.test(contentType) && !/^multipart\//i.test(contentType);
  return isCarried && (!isMessage || isSevenBit(content))
    ? contentType.replace(/^[^;]+/, lower)
    : 'application/octet-stream';
}

function isSevenBit(content: Buffer): boolean {
  if (!isAscii(content) || content.includes(0)) return false;
  return content
    .toString('latin1')
    .split(/\r\n?|\n/)
    .every((line) => line.length <= lineOctetsMax);
}

function mailbox({ name, address }: Address): { name: string; address: string } {
  return { name: name ?? '', address };
}

function withCrlf(text: string): string {
  return text.replace(/\r\n?|\n/g, '\r\n');
}

function lower(text: string): string {
  return text.toLowerCase();
}
