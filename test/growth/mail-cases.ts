import { envelopeOf } from '../../lib/core/emails/envelope.ts';
import * as messageIds from '../../lib/core/emails/message-ids.ts';
import { parseReceiptNotification } from '../../lib/core/receiving/receipt-notification.ts';
import { parseProviderEvent, statusFromHistory } from '../../lib/core/sending/provider-event.ts';
import { addRecipientLinks } from '../../lib/core/tracking/recipient-links.ts';
import { addPixel, insertAtEnd, trackLinks } from '../../lib/core/tracking/tracking.ts';
import * as unsubscribe from '../../lib/core/tracking/unsubscribe.ts';
import { isAddressPattern, matchesPattern } from '../../lib/mail/addresses/address-pattern.ts';
import * as addresses from '../../lib/mail/addresses/addresses.ts';
import { type CategoryInput, categorize, isDeliveryNotice } from '../../lib/mail/category/category.ts';
import { headerSigns } from '../../lib/mail/category/header-signs.ts';
import { isOptOut } from '../../lib/mail/category/opt-out.ts';
import { anyOf, asks, startsWith } from '../../lib/mail/category/phrases.ts';
import { framedHtml, showsRemotePictures } from '../../lib/mail/html/framed-html.ts';
import { outlineOfHtml } from '../../lib/mail/html/html-outline.ts';
import { textOfHtml } from '../../lib/mail/html/html-text.ts';
import { decodeDeclaredText } from '../../lib/mail/message/actual-encoding.ts';
import { decompressRtf } from '../../lib/mail/message/compressed-rtf.ts';
import { takeEnclosedFiles } from '../../lib/mail/message/enclosed-files.ts';
import { baseFilename, cutBytes, cutFilename, cutReferences } from '../../lib/mail/message/field-limits.ts';
import {
  headerEnd,
  isBlank,
  isContentFieldAt,
  isMimeFieldAt,
  lineAfter,
} from '../../lib/mail/message/header-end.ts';
import { decodeText, parseDate, readHeaders, returnPathOf } from '../../lib/mail/message/headers.ts';
import { mediaTypeOf, namedType } from '../../lib/mail/message/media-types.ts';
import { readBody } from '../../lib/mail/message/mime-body.ts';
import { legacyCharsetOf, mimePart, multipartHeader } from '../../lib/mail/message/mime-part.ts';
import { rewriteParts } from '../../lib/mail/message/mime-structure.ts';
import {
  delimiterAt,
  nextDelimiter,
  openMultiparts,
  presumedBoundary,
} from '../../lib/mail/message/multiparts.ts';
import { parseMessageIds } from '../../lib/mail/message/parse-message-ids.ts';
import { type ParsedMessage, parseMime } from '../../lib/mail/message/parse-mime.ts';
import {
  boundaryOf,
  declaredText,
  isNamed,
  multipartSubtypeOf,
  readPartHeader,
} from '../../lib/mail/message/part-header.ts';
import { plainBody } from '../../lib/mail/message/plain-structure.ts';
import { parseAddressList, parseAuthor } from '../../lib/mail/message/received-addresses.ts';
import { parseTnef } from '../../lib/mail/message/tnef.ts';
import { isTnef, readAttributes, readProperties } from '../../lib/mail/message/tnef-stream.ts';
import * as encodings from '../../lib/mail/message/transfer-encodings.ts';
import { isAuthored } from '../../lib/mail/reports/authorship.ts';
import { readDeliveryReport } from '../../lib/mail/reports/delivery-report.ts';
import * as dsnText from '../../lib/mail/reports/dsn-text.ts';
import { enhancedCode, isHardBounce } from '../../lib/mail/reports/hard-bounce.ts';
import { originalMessageOf } from '../../lib/mail/reports/original-message.ts';
import { addressIn, fieldGroups } from '../../lib/mail/reports/report-fields.ts';
import { hostsOf, organizationOf, sourceOfReport } from '../../lib/mail/reports/report-source.ts';
import * as charsets from '../../lib/mail/text/charsets.ts';
import { unmarkEnriched } from '../../lib/mail/text/enriched.ts';
import { unflow } from '../../lib/mail/text/flowed.ts';
import { normalizeLineEnds, restoreReturns } from '../../lib/mail/text/line-ends.ts';
import { snippet } from '../../lib/mail/text/snippet.ts';
import { truncateBytes, truncateText, utf8Bytes } from '../../lib/mail/text/text-limits.ts';
import { isOwnMailLoop } from '../../lib/mail/threading/mail-loop.ts';
import { composeMessage } from '../../lib/mail/writing/compose.ts';
import { isStructuralHeader } from '../../lib/mail/writing/outgoing.ts';
import { transcriptHtml, transcriptText } from '../../lib/mail/writing/transcript.ts';

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
const openTo = (text: string) => {
  const open = openMultiparts();
  open.push({ boundary: text.slice(0, 70), subtype: 'mixed', hasParts: true });
  return open;
};
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

/** A message with the text wherever a category is read. */
function messageOf(text: string): CategoryInput {
  const named = ['Content-Type', 'List-Post', 'Message-ID', 'User-Agent', 'X-Mailer', 'Auto-Submitted', text];
  return {
    headers: [{ name: 'Return-Path', value: '<>' }, ...named.map((name) => ({ name, value: text }))],
    verdicts: { spam: null },
    from: person(text),
    subject: text,
    text,
    attachments: [{ contentType: 'text/calendar', content: bytes(text) }],
  };
}

export const mailCases: GrowthCases = {
  'mail/addresses/address-pattern.ts': {
    isAddressPattern,
    matchesPattern: (text) => [matchesPattern('*a*b*c@*', text), matchesPattern(text.slice(0, 320), text)],
  },
  'mail/addresses/addresses.ts': {
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
  'mail/reports/authorship.ts': {
    isAuthored: (text) => isAuthored(text, text, { spf: 'PASS', dkim: 'GRAY' }),
  },
  'mail/category/absence-phrases.ts': {},
  'mail/category/acknowledgement-phrases.ts': {},
  'mail/category/category-phrases.ts': {},
  'mail/category/category.ts': {
    categorize: (text) => categorize(messageOf(text)),
    isDeliveryNotice: (text) => isDeliveryNotice(messageOf(text)),
  },
  'mail/category/header-signs.ts': { headerSigns: (text) => headerSigns(messageOf(text).headers) },
  'mail/category/phrases.ts': {
    anyOf: (text) => anyOf(['a b', 'c']).test(text),
    startsWith: (text) => startsWith(['a b', 'c']).test(text),
    asks,
  },
  'mail/text/charsets.ts': {
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
  'mail/writing/compose.ts': { composeMessage: (text) => composeMessage(outgoing(text)) },
  'mail/message/compressed-rtf.ts': { decompressRtf: (text) => decompressRtf(compressedRtf(text), 1e9) },
  'mail/reports/delivery-report.ts': { readDeliveryReport: (text) => readDeliveryReport(reportOf(text)) },
  'mail/reports/dsn-text.ts': {
    dsnTextOf: dsnText.dsnTextOf,
    namedRecipients: (text) => dsnText.namedRecipients(dsnText.dsnTextOf(text)),
    isDelayNotice: (text) => dsnText.isDelayNotice(text, dsnText.dsnTextOf(text)),
    collapseWhitespace: dsnText.collapseWhitespace,
  },
  'core/emails/envelope.ts': {
    envelopeOf: (text) => envelopeOf({ to: people(text), cc: [], bcc: [] }),
    chunksOf: noText,
  },
  'mail/message/enclosed-files.ts': {
    takeEnclosedFiles: (text) => takeEnclosedFiles(bytes(text), 'windows-1252'),
  },
  'mail/message/field-limits.ts': {
    baseFilename,
    cutBytes: (text) => cutBytes(text, text.length / 2),
    cutFilename: (text) => cutFilename(text),
    cutReferences: (text) => cutReferences(words(text)),
  },
  'mail/text/flowed.ts': { unflow: (text) => unflow(text, { delSp: true }) },
  'mail/reports/hard-bounce.ts': {
    isHardBounce: (text) => isHardBounce({ status: text, diagnostic: text }),
    enhancedCode,
  },
  'mail/message/headers.ts': {
    readHeaders: (text) => readHeaders(bytes(`X: ${text}\n${text}`), 'utf-8'),
    firstHeaderValue: onePass,
    headerValues: onePass,
    returnPathOf: (text) => returnPathOf([{ name: 'Return-Path', value: text }]),
    decodeText,
    parseDate,
  },
  'mail/html/html-outline.ts': { outlineOfHtml: (text) => outlineOfHtml(text, 1e9) },
  'mail/text/octets.ts': { bufferOf: onePass, isSpace: onePass },
  'mail/text/line-ends.ts': {
    normalizeLineEnds: (text) => normalizeLineEnds(bytes(text)),
    restoreReturns: (text) => restoreReturns(bytes(text)),
  },
  'mail/threading/mail-loop.ts': {
    countHops: onePass,
    isOwnMailLoop: (text) => {
      const mailed = { authors: words(text), recipients: words(text) };
      return isOwnMailLoop(mailed, mailed);
    },
  },
  'core/emails/message-ids.ts': {
    comparableId: messageIds.comparableId,
    localPart: messageIds.localPart,
    ownEmailId: messageIds.ownEmailId,
    ownMessageId: ofOurs,
    sesIdOf: messageIds.sesIdOf,
    wireMessageId: ofOurs,
  },
  'mail/message/parse-message-ids.ts': { parseMessageIds },
  'mail/message/mime-body.ts': {
    readBody: (text) =>
      readBody({
        source: bytes(`Content-Type: multipart/mixed; boundary=b\n\n${text}`),
        header: headerEnd(bytes('Content-Type: multipart/mixed; boundary=b\n\n'), 0),
        charset: 'windows-1252',
        textBudget: budget,
        hadReturnsOnly: false,
      }),
  },
  'mail/message/mime-part.ts': {
    legacyCharsetOf: (text) => legacyCharsetOf(partHeader(text)),
    mimePart: (text) => mimePart(partHeader(text), bytes(text), partState()),
    multipartHeader: (text) => multipartHeader(text, text),
  },
  'mail/message/header-end.ts': {
    headerEnd: (text) => headerEnd(bytes(`X: ${text}\n \n${text}\nto: ${text}`), 0),
    isBlank: (text) => isBlank(bytes(text), 0, text.length),
    isContentFieldAt: (text) => isContentFieldAt(bytes(text), 0),
    isMimeFieldAt: (text) => isMimeFieldAt(bytes(text), 0),
    lineAfter: (text) => lineAfter(bytes(text), 0),
  },
  'mail/message/actual-encoding.ts': {
    decodeDeclaredText: (text) =>
      ['', 'base64', 'quoted-printable'].map((encoding) => decodeDeclaredText(encoding, bytes(text))),
  },
  'mail/message/multiparts.ts': {
    openMultiparts: (text) => openTo(text).levelOf(text),
    nextDelimiter: (text) => nextDelimiter(bytes(text), 0, openTo(text)),
    delimiterAt: (text) => delimiterAt(bytes(`--${text}`), 0, openTo(text)),
    presumedBoundary: (text) => presumedBoundary(bytes(text), 0, text.length),
  },
  'mail/message/part-header.ts': {
    readPartHeader: (text) =>
      readPartHeader(bytes(`Content-Type: ${text}\n${text}`), undefined, 'windows-1252'),
    multipartSubtypeOf: (text) => multipartSubtypeOf(partHeader(text)),
    boundaryOf,
    declaredText: (text) => declaredText(partHeader(text)),
    isNamed: (text) => isNamed(partHeader(text)),
  },
  'mail/text/enriched.ts': { unmarkEnriched: (text) => unmarkEnriched(bytes(text)) },
  'mail/message/mime-structure.ts': {
    // Too many parts are an error.
    rewriteParts(text) {
      const source = bytes(`Content-Type: multipart/mixed; boundary=b\n\n--b\n${text}\n\n${text}`);
      try {
        return rewriteParts(source, { textBudget: budget, fallbackCharset: 'windows-1252' });
      } catch (error) {
        return error;
      }
    },
  },
  'mail/category/opt-out.ts': { isOptOut },
  'mail/reports/original-message.ts': { originalMessageOf: (text) => originalMessageOf(empty, text) },
  'mail/writing/outgoing.ts': { isStructuralHeader },
  'mail/message/media-types.ts': { mediaTypeOf, namedType },
  'mail/message/parse-mime.ts': {
    parseMime: (text) =>
      parseMime(
        bytes(
          `From: ${text}\r\nTo: ${text}\r\nSubject: ${text}\r\nReferences: ${text}\r\nContent-Type: text/html; ${text}\r\n\r\n${text}`,
        ),
      ),
  },
  'mail/message/plain-structure.ts': {
    plainBody: (text) => {
      const header = { ...partHeader(text), disposition: `attachment; filename="${text}"; a=${text}` };
      const content = bytes(text);
      return plainBody(
        [{ kind: 'plain', charset: 'utf-8', content, alternative: null }],
        [{ header, content, disposition: null, encodedName: null }],
      );
    },
  },
  'core/sending/provider-event.ts': {
    parseProviderEvent: (text) => [parseProviderEvent(text), parseProviderEvent(JSON.stringify({ a: text }))],
    statusFromHistory: (text) =>
      statusFromHistory([{ type: 'bounced', at: 0, recipients: words(text), detail: null }], words(text)),
  },
  'core/receiving/receipt-notification.ts': {
    parseReceiptNotification: (text) => attempt(() => parseReceiptNotification(text)),
  },
  'mail/message/received-addresses.ts': { parseAddressList, parseAuthor },
  'core/tracking/recipient-links.ts': {
    addRecipientLinks: (text) => addRecipientLinks({ html: text, text, headers: [] }, links, signing),
  },
  'mail/reports/report-fields.ts': { fieldGroups, fieldValue: onePass, addressIn },
  'mail/reports/report-source.ts': {
    sourceOfReport: (text) =>
      sourceOfReport({
        from: text,
        headers: [{ name: 'Received', value: `from ${text}` }],
        verdicts: { spf: 'PASS', dkim: 'PASS' },
      }),
    organizationOf,
    hostsOf: (text) => hostsOf(words(text), words(text)),
  },
  'mail/text/text-limits.ts': {
    utf8Bytes: (text) => utf8Bytes(bytes(text)),
    truncateBytes: (text) => truncateBytes(bytes(text), text.length / 2),
    truncateText: (text) => truncateText(text, text.length / 2),
  },
  'mail/html/framed-html.ts': { framedHtml, showsRemotePictures },
  'mail/html/html-text.ts': { textOfHtml },
  'mail/html/text-of-body.ts': { textOfBody: 'calls textOfHtml' },
  'mail/text/snippet.ts': { snippet },
  'mail/message/tnef-stream.ts': {
    isTnef: (text) => isTnef(bytes(text)),
    readAttributes: (text) => readAttributes(tnef(text)),
    readProperties: (text) => readProperties(bytes(text)),
  },
  'mail/message/tnef.ts': { parseTnef: (text) => parseTnef(tnef(text)) },
  'core/tracking/tracking.ts': {
    trackLinks: (text) => trackLinks(text, () => 'https://our.example'),
    addPixel: (text) => addPixel(text, 'https://our.example'),
    insertAtEnd: (text) => insertAtEnd(text, 'x'),
  },
  'mail/writing/transcript.ts': {
    transcriptText: (text) => transcriptText(text, transcript(text)),
    transcriptHtml: (text) => transcriptHtml(text, transcript(text)),
  },
  'mail/message/transfer-encodings.ts': {
    codecOf: encodings.codecOf,
    decodeBase64: (text) => encodings.decodeBase64(bytes(text)),
    decodeLines: (text) => [true, false].map((isQuoted) => encodings.decodeLines(bytes(text), isQuoted)),
    decodeTextBody: (text) => encodingNames.map((name) => encodings.decodeTextBody(name, bytes(text))),
    decodeFileBody: (text) => encodingNames.map((name) => encodings.decodeFileBody(name, uuencoded(text))),
    uuencodedName: (text) => encodings.uuencodedName('uuencode', bytes(text)),
  },
  'mail/message/winmail.ts': { openTnef: 'opens at most 200 files with parseTnef' },
  'core/tracking/unsubscribe.ts': {
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
