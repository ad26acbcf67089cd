/** Compares the bodies of well-formed messages with those that mailparser, an independent reader, finds. */
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { simpleParser } from 'mailparser';
import { parseMime } from '../../lib/mail/message/parse-mime.ts';
import { corpus, isDamaged, messagesUnder } from './files.ts';

export interface BodyComparison {
  readonly file: string;
  readonly folder: string;
  readonly body: 'text' | 'html';
  readonly expected: string;
  readonly found: string;
}

/** mailparser shows the text of messages and reports within a message as text of the message; they are files here. */
const nestedTypes = /^(content-type:[ \t]*)(?:message\/[\w.-]+|text\/rfc822-headers)/gim;
const asTheyAre = {
  keepDeliveryStatus: true,
  skipHtmlToText: true,
  skipTextToHtml: true,
  skipTextLinks: true,
  skipImageLinks: true,
};

/** Why a difference remains. */
export const knownDifferences: Readonly<Record<string, string>> = {
  'bounces/sisimai/maildir/bsd/lhost-sendmail-54.eml':
    'the message begins with a delimiter, but does not declare a multipart: we read its parts',
  'bounces/sisimai/maildir/bsd/lhost-x1-02.eml':
    'a media type without a semicolon is a text for us, and the delimiter of a lost multipart is none',
  'bounces/sisimai/maildir/dos/lhost-x4-01.eml': 'the delimiter of a lost multipart is no text',
  'mime/mail-gem/mime_emails/raw_email4.eml': 'a delimiter that ends with one dash is no text',
  'mime/stalwart/rfc/000.eml': 'text of an unknown kind is text for us (RFC 2046 4.1.4)',
  'mime/stalwart/thirdparty/008.eml': 'text of an unknown kind is text for us (RFC 2046 4.1.4)',
  'mime/stalwart/thirdparty/012.eml': 'text of an unknown kind is text for us (RFC 2046 4.1.4)',
  'bounces/sisimai/maildir/bsd/lhost-office365-01.eml': 'mailparser takes the last delimiter for html',
  'bounces/sisimai/maildir/bsd/lhost-sendmail-14.eml':
    'flowed lines in a quote (RFC 3676 4.1): mailparser leaves the quote mark inside the joined line',
  'mime/stalwart/rfc/007.eml':
    'nested multiparts in which mailparser misses delimiters; the mail-parser project reads them as we do',
};

/** The bodies of each message that has one; bodies made by conversion between text and html are left out. */
export async function compareBodies(): Promise<BodyComparison[]> {
  const files = ['mime', 'bounces', 'replies'].flatMap((folder) => messagesUnder(folder));
  const compared: BodyComparison[] = [];
  for (const file of files) {
    const raw = readFileSync(join(corpus, file));
    // mailparser does not read mail whose lines end in CR alone.
    if (isDamaged(file) || !raw.includes('\n') || !isDelimited(raw)) continue;
    const source = Buffer.from(
      raw.toString('latin1').replace(nestedTypes, '$1application/octet-stream'),
      'latin1',
    );
    const theirs = await simpleParser(source, asTheyAre);
    const ours = await parseMime(source);
    const isTextDerived = !theirs.text && theirs.html !== false;
    const bodies = [
      ['text', theirs.text ?? '', isTextDerived ? '' : (ours.text ?? '')],
      ['html', theirs.html || '', ours.html ?? ''],
    ] as const;
    for (const [body, their, our] of bodies) {
      const [expected, found] = [normalized(their), normalized(our)];
      // The text is not in the charset it declares.
      if (expected.includes('\ufffd')) continue;
      if (expected !== '' || found !== '')
        compared.push({ file, folder: dirname(file), body, expected, found });
    }
  }
  return compared;
}

/** Whether the boundary that the message declares begins a line, and folded boundaries are indented. */
function isDelimited(raw: Buffer): boolean {
  const text = raw.toString('latin1');
  if (/\nboundary[ \t]*=/i.test(text)) return false;
  const header = text.slice(0, Math.max(0, text.search(/\r?\n\r?\n/)));
  const [, quoted, token] =
    /^content-type:[^\n]*(?:\n[ \t][^\n]*)*?boundary="?(?:([^"\n]+)"|([^\s;]+))/im.exec(header) ?? [];
  const boundary = quoted ?? token;
  return boundary === undefined || text.includes(`\n--${boundary}`);
}

/** White space and line ends do not count, nor null characters, which no text has. */
function normalized(text: string): string {
  return text.replaceAll('\0', '').replace(/\s+/g, ' ').trim();
}
