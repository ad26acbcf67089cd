/** MIME composition for strict parsers and relays (RFC 5322, 2045–2047, 2231). */
import { isAscii } from 'node:buffer';
import { createHash } from 'node:crypto';
import MailComposer, { type MailComposerAttachment } from 'nodemailer/lib/mail-composer';
import { encodeWord, foldLines } from 'nodemailer/lib/mime-funcs';
import type { Address } from '../addresses/addresses.ts';
import type { Header } from '../message/headers.ts';
import { isStructuralHeader, type OutgoingAttachment } from './outgoing.ts';

export interface OutgoingMessage {
  readonly from: Address;
  readonly to: readonly Address[];
  readonly cc: readonly Address[];
  /** Bcc is part of the envelope only; it is written for a provider that has no envelope and removes the field. */
  readonly bcc?: readonly Address[];
  readonly replyTo: readonly Address[];
  /** Without line breaks. */
  readonly subject: string;
  readonly html: string | null;
  readonly text: string | null;
  /** With angle brackets, as are the ids below. */
  readonly messageId: string;
  readonly inReplyTo: string | null;
  /** Oldest first. The middle of a long chain is left out. */
  readonly references: readonly string[];
  /** Unix milliseconds. */
  readonly date: number;
  /** Custom headers. Structural headers among them are left out. */
  readonly headers: readonly Header[];
  readonly attachments: readonly OutgoingAttachment[];
}

/** Longest line of a folded header or a 7-bit body (RFC 5322 2.1.1). */
const lineCharactersMax = 998;
const encodedWordCharacters = 64;
/** Ids that a `References` header keeps after the first one (compare RFC 5537 3.4.4). */
const lastReferencesKept = 20;

const fieldName = /^[\x21-\x39\x3b-\x7e]+$/;
const printable = /^[\x20-\x7e]*$/;
/** Values that folding at white space leaves too long, or with blank lines. */
const unfoldable = /\S{900}|\s{60}|^\s|\s$/;
const wireId = /^<[\x21-\x3b\x3d\x3f-\x7e]{1,900}>$/;
const mediaType = /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+(?:\s*;[\x20-\x7e]*)?$/;

/**
 * Composes the raw message: CRLF line ends, 7-bit, lines of at most 998 characters. `alternative` holds text and html,
 * `related` the images that the html shows by `cid:`, `mixed` the files. Deterministic.
 */
export async function composeMessage(message: OutgoingMessage): Promise<Buffer> {
  const { from, to, cc, bcc = [], replyTo, html, text, messageId, inReplyTo, references, date } = message;
  const hidesControls = await controlFinder(message);
  const composer = new MailComposer({
    ...composerAddresses({ from: [from], to, cc, replyTo }),
    messageId,
    ...(inReplyTo !== null && wireId.test(inReplyTo) ? { inReplyTo } : {}),
    references: keptReferences(references).join(' '),
    date: new Date(date),
    ...(text === null ? {} : { text: withCrlf(text) }),
    ...(html === null ? {} : { html: withCrlf(html) }),
    attachments: message.attachments.map((file) => attachmentPart(file, html ?? '', hidesControls)),
    // `=_` cannot occur in quoted-printable text, so a body cannot contain its boundary.
    boundaryPrefix: '=_',
    baseBoundary: createHash('sha256').update(messageId).digest('hex').slice(0, 24),
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  // Written here because the composer changes the case of names and encodes every value with a quote.
  const fields = [
    ...addressFields({ From: [from], To: to, Cc: cc, Bcc: bcc, 'Reply-To': replyTo }),
    ...(message.subject === ''
      ? []
      : [headerField('Subject', message.subject, mayHaveEncodedWord(message.subject))]),
    ...message.headers
      .filter(isCustomHeader)
      .map(({ name, value }) => headerField(name, value, hidesControls(value))),
  ];
  return Buffer.concat([Buffer.from(fields.join('')), await composer.compile().build()]);
}

/** The first id and the last ones: readers build threads from these. Ids that do not fit on a line are left out. */
function keptReferences(references: readonly string[]): string[] {
  const ids = [...new Set(references)].filter((id) => wireId.test(id));
  return ids.length <= lastReferencesKept + 1 ? ids : [...ids.slice(0, 1), ...ids.slice(-lastReferencesKept)];
}

function isCustomHeader({ name }: Header): boolean {
  return fieldName.test(name) && !isStructuralHeader(name);
}

/** A folded header field with its line end. Values that are not safe as plain text become encoded words. */
function headerField(name: string, value: string, mustEncode: boolean): string {
  const isPlain = !mustEncode && printable.test(value) && !unfoldable.test(value);
  const written = isPlain
    ? value
    : encodeWord(value, isAscii(Buffer.from(value)) ? 'Q' : 'B', encodedWordCharacters);
  return `${foldLines(`${name}: ${written}`)}\r\n`;
}

/** The address fields that the composer writes. It writes literal encoded words in names as they are. */
function composerAddresses(fields: Readonly<Record<'from' | 'to' | 'cc' | 'replyTo', readonly Address[]>>) {
  const written = Object.entries(fields).filter(([, addresses]) => !addresses.some(hasEncodedWord));
  return Object.fromEntries(written.map(([name, addresses]) => [name, addresses.map(mailbox)]));
}

/** The address fields with a name that looks like an encoded word: encoded, so that readers show it as it was given. */
function addressFields(fields: Readonly<Record<string, readonly Address[]>>): string[] {
  return Object.entries(fields)
    .filter(([, addresses]) => addresses.some(hasEncodedWord))
    .map(([field, addresses]) => {
      const mailboxes = addresses.map(({ name, address }) =>
        name === null ? address : `${encodeWord(name, 'B', encodedWordCharacters)} <${address}>`,
      );
      return `${foldLines(`${field}: ${mailboxes.join(', ')}`)}\r\n`;
    });
}

function hasEncodedWord({ name }: Address): boolean {
  return name !== null && mayHaveEncodedWord(name);
}

/** Whether readers that decode encoded words would see control characters, line breaks among them. */
type ControlFinder = (value: string) => boolean;

/** The decoder is loaded for a message that has what looks like an encoded word: a parser of mail comes with it. */
async function controlFinder({ headers, attachments }: OutgoingMessage): Promise<ControlFinder> {
  const values = [...headers.map(({ value }) => value), ...attachments.map(({ filename }) => filename)];
  if (!values.some(mayHaveEncodedWord)) return () => false;
  const { decodeWords } = await import('postal-mime');
  return (value) => mayHaveEncodedWord(value) && /\p{Cc}/u.test(decodeWords(value));
}

const mayHaveEncodedWord = (value: string): boolean => value.includes('=?');

function attachmentPart(
  attachment: OutgoingAttachment,
  html: string,
  hidesControls: ControlFinder,
): MailComposerAttachment {
  const { content, cid } = attachment;
  // Some readers decode encoded words in filenames.
  const filename = hidesControls(attachment.filename)
    ? attachment.filename.replaceAll('=?', '=_')
    : attachment.filename;
  const contentType = attachmentContentType(attachment);
  const isMessage = contentType.startsWith('message/');
  const id = cid === null ? null : encodeURI(cid.toWellFormed().replace(/[<>\s]/g, ''));
  const isShown = id !== null && cid !== null && (html.includes(`cid:${cid}`) || html.includes(`cid:${id}`));
  return {
    filename,
    contentType,
    content: isMessage ? Buffer.from(withCrlf(content.toString('latin1')), 'latin1') : content,
    contentDisposition: isShown ? 'inline' : (attachment.disposition ?? 'attachment'),
    contentTransferEncoding: isMessage ? '7bit' : 'base64',
    // Mail clients hide `related` parts that the html does not show, so other files go to `mixed`.
    ...(id === null ? {} : isShown ? { cid: id } : { headers: { 'Content-ID': `<${id}>` } }),
  };
}

/**
 * The media type of an attachment part. A `message/*` part must not be encoded (RFC 2046 5.2.1), so one that is not
 * 7-bit becomes `application/octet-stream`, as do `multipart/*` and invalid types.
 */
function attachmentContentType({ contentType, content }: OutgoingAttachment): string {
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
    .every((line) => line.length <= lineCharactersMax);
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
