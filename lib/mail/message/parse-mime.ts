/** Tolerant parsing of messages: any bytes become a readable message (RFC 5322, RFC 2045–2049). */

import type { Address } from '../addresses/addresses.ts';
import { legacyCharset } from '../text/charsets.ts';
import { normalizeLineEnds } from '../text/line-ends.ts';
import { receivedTextBudget, type TextBudget } from '../text/text-limits.ts';
import { cutBytes, cutReferences, fieldLimits } from './field-limits.ts';
import type { Header } from './headers.ts';
import { decodeText, parseDate, readHeaders } from './headers.ts';
import { type ParsedBody, readBody } from './mime-body.ts';
import { parseMessageIds } from './parse-message-ids.ts';
import { parseAddressList, parseAuthor } from './received-addresses.ts';

export interface ParsedMessage extends ParsedBody {
  /** With angle brackets. */
  readonly messageId: string | null;
  readonly inReplyTo: readonly string[];
  readonly references: readonly string[];
  readonly from: Address | null;
  readonly sender: Address | null;
  readonly replyTo: readonly Address[];
  readonly to: readonly Address[];
  readonly cc: readonly Address[];
  readonly bcc: readonly Address[];
  /** Decoded, without line breaks; empty if there is none. */
  readonly subject: string;
  /** Unix milliseconds of the Date header. */
  readonly date: number | null;
  /** All fields in order, values unfolded and decoded. */
  readonly headers: readonly Header[];
}

/**
 * Parses a raw message. Never rejects: if the MIME structure is invalid, the body is returned as text and `problems` says
 * why. Nested messages (`message/rfc822`), signed and encrypted parts are attachments.
 *
 * @param textBudget bytes of text to return; a longer text is truncated, with all of it as an attachment
 */
export async function parseMime(
  raw: Uint8Array,
  textBudget: TextBudget = receivedTextBudget,
): Promise<ParsedMessage> {
  const { source, hadReturnsOnly } = normalizeLineEnds(raw);
  const charset = legacyCharset(source);
  const { fields, bodyStart, end } = readHeaders(source, charset);
  const byName = Map.groupBy(fields, ({ name }) => name.toLowerCase());
  const values = (name: string) => (byName.get(name) ?? []).map(({ value }) => value);
  const addresses = (name: string) => values(name).flatMap(parseAddressList).slice(0, fieldLimits.addresses);
  const ids = (name: string) => cutReferences(parseMessageIds(values(name).join(' ')));
  const [date = null] = values('date');
  const [subject = ''] = values('subject');
  const header = { end, bodyAt: bodyStart };
  const content = await readBody({ source, header, charset, textBudget, hadReturnsOnly });
  return {
    messageId: ids('message-id')[0] ?? null,
    inReplyTo: ids('in-reply-to'),
    references: ids('references'),
    from: firstAuthor(values('from')),
    sender: firstAuthor(values('sender')),
    replyTo: addresses('reply-to'),
    to: addresses('to'),
    cc: addresses('cc'),
    bcc: addresses('bcc'),
    subject: cutBytes(decodeText(subject), fieldLimits.subjectBytes).trimEnd(),
    date: date === null ? null : parseDate(date),
    headers: limitedHeaders(fields),
    ...content,
  };
}

/** The fields in order with decoded values, within the limits of their number and size. */
function limitedHeaders(fields: readonly Header[]): Header[] {
  const headers: Header[] = [];
  let bytes = 0;
  for (const field of fields.slice(0, fieldLimits.headers)) {
    const name = cutBytes(field.name, fieldLimits.headerNameBytes);
    const value = cutBytes(decodeText(field.value), fieldLimits.headerValueBytes);
    bytes += Buffer.byteLength(name) + Buffer.byteLength(value);
    if (bytes > fieldLimits.headersBytes) break;
    headers.push({ name, value });
  }
  return headers;
}

function firstAuthor(values: readonly string[]): Address | null {
  for (const value of values) {
    const address = parseAuthor(value);
    if (address !== null) return address;
  }
  return null;
}
