/** Headers in SES notifications: `headers` up to 10 KB, decoded `commonHeaders`. */
import { addressParser, decodeWords } from 'postal-mime';
import { type HeaderField, valuesOf } from './headers.ts';

export interface CommonHeaders {
  readonly returnPath?: string;
  readonly from?: readonly string[];
  readonly sender?: string;
  readonly replyTo?: readonly string[];
  readonly to?: readonly string[];
  readonly cc?: readonly string[];
  readonly bcc?: readonly string[];
  readonly date?: string;
  readonly messageId?: string;
  readonly subject?: string;
}

export interface ReportedHeaders {
  readonly headersTruncated: boolean;
  readonly headers: readonly { readonly name: string; readonly value: string }[];
  readonly commonHeaders: CommonHeaders;
}

/** SES truncates headers in notifications at 10 KB. */
const headerOctetsMax = 10_240;
/** Keeps a notification below SNS's 256 KB; SES's own limits of `commonHeaders` are not documented. */
const listEntriesMax = 100;
const textCharactersMax = 1_000;

/** The header fields of the `mail` object. `own` overrides common headers, e.g. SES's `messageId`. */
export function reportHeaders(fields: readonly HeaderField[], own: CommonHeaders = {}): ReportedHeaders {
  const headers: { name: string; value: string }[] = [];
  let octets = 0;
  for (const { name, value } of fields) {
    octets += Buffer.byteLength(name) + Buffer.byteLength(value);
    if (octets > headerOctetsMax) break;
    headers.push({ name, value });
  }
  return {
    headersTruncated: headers.length < fields.length,
    headers,
    commonHeaders: { ...commonHeaders(fields), ...own },
  };
}

/** The addresses of all fields of a name, parsed leniently. */
export function addressesOf(fields: readonly HeaderField[], name: string): string[] {
  return mailboxes(fields, name).map(({ address }) => address);
}

function commonHeaders(fields: readonly HeaderField[]): CommonHeaders {
  const text = (name: string) => valuesOf(fields, name)[0]?.slice(0, textCharactersMax);
  const list = (name: string) => {
    const entries = mailboxes(fields, name).slice(0, listEntriesMax);
    return entries.length === 0
      ? undefined
      : entries.map((entry) => (entry.name ? `${entry.name} <${entry.address}>` : entry.address));
  };
  const subject = text('subject');
  const common = {
    from: list('from'),
    sender: list('sender')?.[0],
    replyTo: list('reply-to'),
    to: list('to'),
    cc: list('cc'),
    bcc: list('bcc'),
    date: text('date'),
    messageId: text('message-id'),
    subject: subject === undefined ? undefined : decodeWords(subject),
  };
  return Object.fromEntries(Object.entries(common).filter(([, value]) => value !== undefined));
}

function mailboxes(fields: readonly HeaderField[], name: string): { name: string; address: string }[] {
  return valuesOf(fields, name).flatMap((value) =>
    addressParser(value, { flatten: true }).flatMap((entry) =>
      entry.address
        ? [
            {
              name: entry.name.slice(0, textCharactersMax),
              address: entry.address.slice(0, textCharactersMax),
            },
          ]
        : [],
    ),
  );
}
