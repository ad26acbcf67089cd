/**
 * Reading and writing of mail (README.md). The list of what others may import: from here, or, where a function should load one part
 * only, from the file named here.
 */

// Addresses
export { isAddressPattern, matchesPattern } from './addresses/address-pattern.ts';
export {
  type Address,
  addressKey,
  asciiDomain,
  displayName,
  formatAddress,
  hostOf,
  normalizeAddress,
  parseAddress,
  splitAddress,
  uniqueAddresses,
} from './addresses/addresses.ts';
// What a message is
export { type Category, categories } from './category/categories.ts';
export { type CategoryInput, categorize } from './category/category.ts';
export { isOptOut } from './category/opt-out.ts';
// Files
export { fileDecoderOf } from './files/charsets/dos.ts';
export { decodeTextFile } from './files/decode.ts';
export { extractText } from './files/extract-text.ts';
export {
  type ExtractedText,
  extractionStatuses,
  type TextExtraction,
  type TextFormat,
  textFormats,
  withoutText,
} from './files/extracted-text.ts';
export { sniffMediaType } from './files/media-type.ts';
export type { SourceFile } from './files/reader.ts';
export { createExtractor, type Extractor } from './files/run-in-process.ts';
export { screenFile } from './files/screen-file.ts';
export { escapeHtml } from './html/escape-html.ts';
export { type FrameOptions, framedHtml, showsRemotePictures } from './html/framed-html.ts';
export { textOfHtml } from './html/html-text.ts';
export { textOfBody } from './html/text-of-body.ts';
// Messages
export {
  firstHeaderValue,
  type Header,
  headerValues,
  parseDate,
  returnPathOf,
} from './message/headers.ts';
export { mediaTypeOf, namedType } from './message/media-types.ts';
export type { ParsedAttachment } from './message/mime-body.ts';
export { parseMessageIds } from './message/parse-message-ids.ts';
export { type ParsedMessage, parseMime } from './message/parse-mime.ts';
export type { Verdicts } from './message/verdicts.ts';
// What a person wrote
export {
  type StrippedHtml,
  type StrippedMessage,
  type StrippedText,
  strip,
  stripHtml,
  stripText,
} from './quoting/strip.ts';
export type { Segment } from './quoting/text-document.ts';
export { isAuthored } from './reports/authorship.ts';
export {
  type DeliveryReport,
  type ReportedRecipient,
  readDeliveryReport,
} from './reports/delivery-report.ts';
export { hostsOf, organizationOf, type ReportSource, sourceOfReport } from './reports/report-source.ts';
export { registeredDomain } from './signals/lookalike.ts';
// Signals
export { type ReadContent, readContent } from './signals/read-content.ts';
export { type SenderContext, senderSignals } from './signals/sender.ts';
export { boundedSignals } from './signals/signal.ts';
export { type Signal, type SignalCode, signalCodes, signalPlaces } from './signals/signal-codes.ts';
export { snippet } from './text/snippet.ts';
export { receivedTextBudget, type TextBudget, truncateBytes, truncateText } from './text/text-limits.ts';
// Conversations
export { type CitingMessage, candidateIds } from './threading/cited-ids.ts';
export {
  chooseThread,
  type IncomingMessage,
  type JoinDecision,
  type KnownThread,
  missingParents,
  type SubjectCandidate,
  type WaitingThread,
} from './threading/join.ts';
export { countHops, hopsMax, isOwnMailLoop, type MailedTo } from './threading/mail-loop.ts';
export { mergeParticipants } from './threading/participants.ts';
export {
  type IsOwn,
  nobody,
  ownAmong,
  ownKeys,
  type RepliedMessage,
  type ReplyRecipients,
  recipientsOfReceived,
  recipientsOfSent,
} from './threading/reply-recipients.ts';
export { trustedReplyTo } from './threading/reply-to.ts';
export {
  answeredSubjects,
  forwardSubject,
  isAnswerSubject,
  isSameSubject,
  normalizeSubject,
  replySubject,
} from './threading/subject.ts';

// Writing
export { composeMessage, type OutgoingMessage } from './writing/compose.ts';
export { isStructuralHeader, type OutgoingAttachment } from './writing/outgoing.ts';
export { type TranscriptMessage, transcriptHtml, transcriptText } from './writing/transcript.ts';
