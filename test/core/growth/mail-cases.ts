import { isAddressPattern, matchesPattern } from '../../../lib/core/mail/address-pattern.ts';
import * as addresses from '../../../lib/core/mail/addresses.ts';
import { isAuthored } from '../../../lib/core/mail/authorship.ts';
import { categorize } from '../../../lib/core/mail/category.ts';
import * as charsets from '../../../lib/core/mail/charsets.ts';
import { composeMessage } from '../../../lib/core/mail/compose.ts';
import { decompressRtf } from '../../../lib/core/mail/compressed-rtf.ts';
import { readDeliveryReport } from '../../../lib/core/mail/delivery-report.ts';
import * as dsnText from '../../../lib/core/mail/dsn-text.ts';
import { envelopeOf } from '../../../lib/core/mail/envelope.ts';
import { cutBytes, cutFilename, cutReferences } from '../../../lib/core/mail/field-limits.ts';
import { unflow } from '../../../lib/core/mail/flowed.ts';
import { enhancedCode, isHardBounce } from '../../../lib/core/mail/hard-bounce.ts';
import { decodeText, parseDate, readHeaders, returnPathOf } from '../../../lib/core/mail/headers.ts';
import { outlineOfHtml } from '../../../lib/core/mail/html-outline.ts';
import { textOfHtml } from '../../../lib/core/mail/html-text.ts';
import { normalizeLineEnds, restoreReturns } from '../../../lib/core/mail/line-ends.ts';
import { isOwnMailLoop } from '../../../lib/core/mail/mail-loop.ts';
import { mediaTypeOf } from '../../../lib/core/mail/media-types.ts';
import * as messageIds from '../../../lib/core/mail/message-ids.ts';
import { readBody } from '../../../lib/core/mail/mime-body.ts';
import { mimePart, multipartHeader } from '../../../lib/core/mail/mime-part.ts';
import { rewriteParts } from '../../../lib/core/mail/mime-structure.ts';
import { isOptOut } from '../../../lib/core/mail/opt-out.ts';
import { originalMessageOf } from '../../../lib/core/mail/original-message.ts';
import { isStructuralHeader } from '../../../lib/core/mail/outgoing.ts';
import { parseMessageIds } from '../../../lib/core/mail/parse-message-ids.ts';
import { type ParsedMessage, parseMime } from '../../../lib/core/mail/parse-mime.ts';
import { plainBody } from '../../../lib/core/mail/plain-structure.ts';
import { parseProviderEvent, statusFromHistory } from '../../../lib/core/mail/provider-event.ts';
import { parseReceiptNotification } from '../../../lib/core/mail/receipt-notification.ts';
import { parseAddressList, parseAuthor } from '../../../lib/core/mail/received-addresses.ts';
import { addRecipientLinks } from '../../../lib/core/mail/recipient-links.ts';
import { addressIn, fieldGroups } from '../../../lib/core/mail/report-fields.ts';
import { hostsOf, organizationOf, sourceOfReport } from '../../../lib/core/mail/report-source.ts';
import { snippet } from '../../../lib/core/mail/text.ts';
import { truncateBytes, truncateText, utf8Bytes } from '../../../lib/core/mail/text-limits.ts';
import { parseTnef } from '../../../lib/core/mail/tnef.ts';
import { isTnef, readAttributes, readProperties } from '../../../lib/core/mail/tnef-stream.ts';
import { addPixel, insertAtEnd, trackLinks } from '../../../lib/core/mail/tracking.ts';
import { transcriptHtml, transcriptText } from '../../../lib/core/mail/transcript.ts';
import * as encodings from '../../../lib/core/mail/transfer-encodings.ts';
import * as unsubscribe from '../../../lib/core/mail/unsubscribe.ts';

import {
  bytes,
  emailId,
  type GrowthCases,
  noText,
  ofOurs,
  onePass,
  people,
  person,
  words,
  workspaceId,
} from './cases.ts';

const empty = await parseMime(bytes('From: MAILER-DAEMON@a.example\r\nSubject: failure notice\r\n\r\n'));

const transcript = (text: string) => [
  { from: person(text), to: [person(text)], subject: text, at: 0, text, html: text },
];
const signing = { workspaceId, emailId, from: 'us@our.example', recipient: 0, secret: 's' };
const links = { baseUrl: 'https://our.example', unsubscribe: true, opens: true, clicks: true };
const partHeader = (text: string) => ({
  fields: [`Content-Type: text/plain; ${text.replaceAll('\n', ' ')}`],
  type: `text/plain; ${text}`,
  encoding: 'quoted-printable',
  disposition: `inline; ${text}`,
  alternative: null,
});
const partState = () => ({
  files: [],
  texts: [],
  replacedCharsets: new Set<string>(),
  budget: { plain: 1e9, html: 1e9 },
  fallbackCharset: 'windows-1252',
  hadReturnsOnly: false,
});
const budget = { plain: 1e9, html: 1e9 };
const reportOf = (text: string): ParsedMessage => ({
  ...empty,
  subject: text,
  text,
  attachments: [
    {
      filename: null,
      contentType: 'message/delivery-status',
      disposition: null,
      cid: null,
      content: bytes(text),
      relatedToHtml: false,
    },
  ],
});
const outgoing = (text: string) => ({
  from: { name: text.slice(0, 200), address: 'us@our.example' },
  to: [{ name: text.slice(0, 200), address: 'ann@a.example' }],
  cc: [],
  replyTo: [],
  subject: text.slice(0, 998),
  html: text,
  text,
  messageId: '<a@our.example>',
  inReplyTo: null,
  references: words(text),
  date: 0,
  headers: [{ name: 'X-A', value: text.slice(0, 8000) }],
  attachments: [],
});

export const mailCases: GrowthCases = {
  'mail/address-pattern.ts': {
    isAddressPattern,
    matchesPattern: (text) => [matchesPattern('*a*b*c@*', text), matchesPattern(text.slice(0, 320), text)],
  },
  'mail/addresses.ts': {
    parseAddress: addresses.parseAddress,
    displayName: addresses.displayName,
    normalizeAddress: addresses.normalizeAddress,
    asciiDomain: addresses.asciiDomain,
    formatAddress: (text) => addresses.formatAddress(person(text)),
    hostOf: addresses.hostOf,
    splitAddress: addresses.splitAddress,
    addressKey: (text) => [text, `"${text}"@a.example`, `a@${text}`].map(addresses.addressKey),
    uniqueAddresses: (text) => addresses.uniqueAddresses(people(text)),
  },
  'mail/authorship.ts': { isAuthored: (text) => isAuthored(text, text, { spf: 'PASS', dkim: 'GRAY' }) },
  'mail/category-phrases.ts': {},
  'mail/category.ts': {
    categorize: (text) =>
      categorize({
        headers: [
          { name: 'Content-Type', value: text },
          { name: 'List-Post', value: text },
          { name: 'Return-Path', value: '<>' },
        ],
        verdicts: { spam: null },
        from: person(text),
        subject: text,
        text,
      }),
  },
  'mail/charsets.ts': {
    charsetOfCodePage: noText,
    legacyCharset: (text) => charsets.legacyCharset(bytes(text)),
    decoderOf: (text) => charsets.decoderOf(text),
    decodeBytes: (text) => charsets.decodeBytes(Buffer.from(text, 'latin1'), 'windows-1252'),
    textCharset: (text) =>
      charsets.textCharset(Buffer.from(text, 'latin1'), text.slice(0, 50), 'windows-1252'),
    repairEscapes: charsets.repairEscapes,
    decodeUtf7: charsets.decodeUtf7,
    recodeEncodedWords: charsets.recodeEncodedWords,
  },
  'mail/compose.ts': { composeMessage: (text) => composeMessage(outgoing(text)) },
  'mail/compressed-rtf.ts': { decompressRtf: (text) => decompressRtf(compressedRtf(text), 1e9) },
  'mail/delivery-report.ts': { readDeliveryReport: (text) => readDeliveryReport(reportOf(text)) },
  'mail/dsn-text.ts': {
    dsnTextOf: dsnText.dsnTextOf,
    namedRecipients: (text) => dsnText.namedRecipients(dsnText.dsnTextOf(text)),
    isDelayNotice: (text) => dsnText.isDelayNotice(text, dsnText.dsnTextOf(text)),
    collapseWhitespace: dsnText.collapseWhitespace,
  },
  'mail/envelope.ts': {
    envelopeOf: (text) => envelopeOf({ to: people(text), cc: [], bcc: [] }),
    chunksOf: noText,
  },
  'mail/field-limits.ts': {
    cutBytes: (text) => cutBytes(text, text.length / 2),
    cutFilename: (text) => cutFilename(text),
    cutReferences: (text) => cutReferences(words(text)),
  },
  'mail/flowed.ts': { unflow: (text) => unflow(text, { delSp: true }) },
  'mail/hard-bounce.ts': {
    isHardBounce: (text) => isHardBounce({ status: text, diagnostic: text }),
    enhancedCode,
  },
  'mail/headers.ts': {
    readHeaders: (text) => readHeaders(bytes(`X: ${text}\n${text}`), 'utf-8'),
    firstHeaderValue: onePass,
    headerValues: onePass,
    returnPathOf: (text) => returnPathOf([{ name: 'Return-Path', value: text }]),
    decodeText,
    parseDate,
  },
  'mail/html-outline.ts': { outlineOfHtml: (text) => outlineOfHtml(text, 1e9) },
  'mail/line-ends.ts': {
    normalizeLineEnds: (text) => normalizeLineEnds(bytes(text)),
    restoreReturns: (text) => restoreReturns(bytes(text)),
  },
  'mail/mail-loop.ts': {
    countHops: onePass,
    isOwnMailLoop: (text) => {
      const mailed = { authors: words(text), recipients: words(text) };
      return isOwnMailLoop(mailed, mailed);
    },
  },
  'mail/message-ids.ts': {
    comparableId: messageIds.comparableId,
    localPart: messageIds.localPart,
    ownEmailId: messageIds.ownEmailId,
    ownMessageId: ofOurs,
    sesIdOf: messageIds.sesIdOf,
    wireMessageId: ofOurs,
  },
  'mail/parse-message-ids.ts': { parseMessageIds },
  'mail/mime-body.ts': {
    readBody: (text) =>
      readBody({
        source: bytes(`Content-Type: multipart/mixed; boundary=b\n\n${text}`),
        body: bytes(text),
        charset: 'windows-1252',
        textBudget: budget,
        hadReturnsOnly: false,
      }),
  },
  'mail/mime-part.ts': {
    mimePart: (text) => mimePart(partHeader(text), bytes(text), partState()),
    multipartHeader: (text) => multipartHeader(text, text),
  },
  'mail/mime-structure.ts': {
    rewriteParts: (text) =>
      rewriteParts(bytes(`Content-Type: multipart/mixed; boundary=b\n\n--b\n${text}\n\n${text}`), {
        textBudget: budget,
        fallbackCharset: 'windows-1252',
      }),
  },
  'mail/opt-out.ts': { isOptOut },
  'mail/original-message.ts': { originalMessageOf: (text) => originalMessageOf(empty, text) },
  'mail/outgoing.ts': { isStructuralHeader },
  'mail/media-types.ts': { mediaTypeOf },
  'mail/parse-mime.ts': {
    parseMime: (text) =>
      parseMime(
        bytes(
          `From: ${text}\r\nTo: ${text}\r\nSubject: ${text}\r\nReferences: ${text}\r\nContent-Type: text/html; ${text}\r\n\r\n${text}`,
        ),
      ),
  },
  'mail/plain-structure.ts': {
    plainBody: (text) => {
      const header = { ...partHeader(text), disposition: `attachment; filename="${text}"; a=${text}` };
      const content = bytes(text);
      return plainBody(
        [{ kind: 'plain', charset: 'utf-8', content, alternative: null }],
        [{ header, content, disposition: null, encodedName: null }],
      );
    },
  },
  'mail/provider-event.ts': {
    parseProviderEvent: (text) => [parseProviderEvent(text), parseProviderEvent(JSON.stringify({ a: text }))],
    statusFromHistory: (text) =>
      statusFromHistory([{ type: 'bounced', at: 0, recipients: words(text), detail: null }], words(text)),
  },
  'mail/receipt-notification.ts': {
    parseReceiptNotification: (text) => attempt(() => parseReceiptNotification(text)),
  },
  'mail/received-addresses.ts': { parseAddressList, parseAuthor },
  'mail/recipient-links.ts': {
    addRecipientLinks: (text) => addRecipientLinks({ html: text, text, headers: [] }, links, signing),
  },
  'mail/report-fields.ts': { fieldGroups, fieldValue: onePass, addressIn },
  'mail/report-source.ts': {
    sourceOfReport: (text) =>
      sourceOfReport({
        from: text,
        headers: [{ name: 'Received', value: `from ${text}` }],
        verdicts: { spf: 'PASS', dkim: 'PASS' },
      }),
    organizationOf,
    hostsOf: (text) => hostsOf(words(text), words(text)),
  },
  'mail/text-limits.ts': {
    utf8Bytes: (text) => utf8Bytes(bytes(text)),
    truncateBytes: (text) => truncateBytes(bytes(text), text.length / 2),
    truncateText: (text) => truncateText(text, text.length / 2),
  },
  'mail/html-text.ts': { textOfHtml },
  'mail/text.ts': { snippet },
  'mail/tnef-stream.ts': {
    isTnef: (text) => isTnef(bytes(text)),
    readAttributes: (text) => readAttributes(tnef(text)),
    readProperties: (text) => readProperties(bytes(text)),
  },
  'mail/tnef.ts': { parseTnef: (text) => parseTnef(tnef(text)) },
  'mail/tracking.ts': {
    trackLinks: (text) => trackLinks(text, () => 'https://our.example'),
    addPixel: (text) => addPixel(text, 'https://our.example'),
    insertAtEnd: (text) => insertAtEnd(text, 'x'),
  },
  'mail/transcript.ts': {
    transcriptText: (text) => transcriptText(text, transcript(text)),
    transcriptHtml: (text) => transcriptHtml(text, transcript(text)),
  },
  'mail/transfer-encodings.ts': {
    codecOf: encodings.codecOf,
    decodeTextBody: (text) => encodingNames.map((name) => encodings.decodeTextBody(name, bytes(text))),
    decodeFileBody: (text) => encodingNames.map((name) => encodings.decodeFileBody(name, uuencoded(text))),
    uuencodedName: (text) => encodings.uuencodedName('uuencode', bytes(text)),
  },
  'mail/winmail.ts': { openTnef: 'opens at most 200 files with parseTnef' },
  'mail/unsubscribe.ts': {
    tokenOfSubject: unsubscribe.tokenOfSubject,
    unsubscribeHeaders: (text) => unsubscribe.unsubscribeHeaders({ url: text, token: text, from: text }),
    isUnsubscribeHeader: (text) => unsubscribe.isUnsubscribeHeader({ name: text, value: text }),
    unsubscribeInHtml: (text) => unsubscribe.unsubscribeInHtml(text, 'https://our.example'),
    unsubscribeInText: (text) => unsubscribe.unsubscribeInText(text, 'https://our.example'),
  },
};

/** A stream that says that it is compressed, and as long as it may be. */
function compressedRtf(text: string): Buffer {
  return Buffer.concat([Buffer.from('ffffff7fffffff7f4c5a467500000000', 'hex'), bytes(text)]);
}

function tnef(text: string): Buffer {
  return Buffer.concat([Buffer.from('789f3e220100', 'hex'), bytes(text)]);
}

const encodingNames = ['base64', 'quoted-printable', '8bit', 'x-uuencode'];

function uuencoded(text: string): Buffer {
  return bytes(`begin 644 a\n${text}`);
}

/** Some parsers refuse what they cannot read. */
function attempt(parse: () => unknown): unknown {
  try {
    return parse();
  } catch {
    return null;
  }
}
