/** The category of an inbound message: headers first, phrases last (docs/concepts/reading-mail.md). */

import type { Address } from '../addresses/addresses.ts';
import type { Header } from '../message/headers.ts';
import { absentWriter, meanwhile, plannedAbsence, returning, thanks } from './absence-phrases.ts';
import { asOnePerson, automated, promise, received, ticketNumber } from './acknowledgement-phrases.ts';
import type { Category } from './categories.ts';
import {
  absence,
  amount,
  autoReplyOpening,
  autoReplySubject,
  bounceSubject,
  failureText,
  occurrence,
  promotion,
  transaction,
  unsubscribing,
  verification,
} from './category-phrases.ts';
import { type HeaderSigns, headerSigns } from './header-signs.ts';
import { asks } from './phrases.ts';

export interface CategoryInput {
  readonly headers: readonly Header[];
  /** SES's verdicts, `PASS`, `FAIL`, `GRAY` or `PROCESSING_FAILED`; null where there was no check. */
  readonly verdicts: { readonly spam: string | null };
  readonly from: Address | null;
  readonly subject: string;
  readonly text: string | null;
  /** What the author wrote (`strip`), without quotes; the text where it is not known. */
  readonly writtenText?: string | null;
  /** Whether it answers mail of ours: by In-Reply-To, References or our reply token. False where it is not known. */
  readonly answersOurs?: boolean;
  /** Media types of the attachments, as far as they are known, and contents. */
  readonly attachments?: readonly { readonly contentType: string; readonly content?: Uint8Array }[];
}

/** Phrases are searched in the first characters of a text only. */
const openingCharacters = 1500;
/** A longer text is more than an automatic answer. */
const answerCharactersMax = 2500;
/** A greeting, or thanks, before an automatic answer comes to its point. */
const greetingCharactersMax = 30;
const greetingWordsMax = 4;
const thanksCharactersMax = 150;
/** The beginning of a calendar file names its method. */
const calendarBytes = 4096;

const daemon = /^mail(?:er)?-?daemon(?:@|$)/i;
const postmaster = /^post-?_?master(?:@|$)/i;
/** Nobody reads what is sent to these addresses. */
const noReply =
  /^(?:(?:do|please)?[-_.]?(?:no|not)[-_.]?_?reply|ne[-_.]?pas[-_.]?repondre|n[oã]o?[-_.]?respond(?:er|a)|non[-_.]?rispond(?:ere|i)|nicht[-_.]?antworten|keine[-_.]?antwort|nie[-_.]?odpowiadaj|auto(?:mat(?:ed|ic))?[-_.]confirm)(?:[-+._@]|$)|[-+._]no-?reply(?:[-+._@]|$)/i;
/** Names of programs. A department may have one of them. */
const program =
  /^(?:notifications?|alerts?|automat(?:ed|ic)|auto|robot|bot|system|daemon|news(?:letter)?|nyhetsbrev|info-?mail|bounces?|cron|root|www-data|wordpress|nagios|zabbix|jenkins|monitor(?:ing)?|backup|voicemail|fax|scanner|copier)(?:[-+._@]|$)/i;
/** Names of roles, in which people and programs write. */
const role =
  /^(?:billing|receipts?|orders?|invoices?|payments?|bookings?|reservations?|tickets?|shipping|shop|store|service|security|account|verify|updates?|marketing|offers?|promo)(?:[-+._@]|$)/i;
const notifier = /^(?:[\w.]{1,40}-)?(?:notifications?|alerts?|updates?|security|account)(?:[-+._@]|$)/i;
const replyPrefix = /^\s*(?:re|aw|sv|antw|odp|fwd?|wg|tr|rv|vs|res|enc)\s*(?:\[\d+\]\s*)?:/i;
const codeAlone = /(?<![\d.,:/#-])(?:\d{4,8}|\d{3}[ -]\d{3}|[a-z]{4}-\d{4})(?![\d.,:/-]\d|\d)/;
/** What people do with invitations (RFC 5546); `PUBLISH` and `REFRESH` are done by programs. */
const calendarMethod = /^METHOD:(?:REQUEST|REPLY|COUNTER|CANCEL|DECLINECOUNTER)\s*$/im;
const returnedTypes = /^(?:message\/(?:rfc822|global|delivery-status)|text\/rfc822-headers)/;

/** What is known of a message; texts are in lower case. */
interface Signs extends HeaderSigns {
  readonly message: CategoryInput;
  readonly sender: string;
  readonly subject: string;
  /** The subject and the beginning of the text. */
  readonly opening: string;
  /** The end of the text, where footers are. */
  readonly closing: string;
  /** What the author wrote. */
  readonly written: string;
  readonly hasReplySubject: boolean;
}

/**
 * The category of an inbound message. Signs in order of certainty: feedback and delivery reports, spam verdict, automatic
 * answers, calendar answers, codes, then what speaks for a person and for a program. Without a sign it is `human`.
 */
export function categorize(message: CategoryInput): Category {
  const signs = signsOf(message);
  if (isFeedback(signs) || isNotice(signs)) return 'bounce';
  if (message.verdicts.spam?.toUpperCase() === 'FAIL') return 'spam';
  const answer = markedAnswer(signs);
  if (answer) return answer;
  if (!noReply.test(signs.sender) && isCalendarMail(message)) return 'human';
  const evidence = evidenceOfProgram(signs);
  const unmarked = unmarkedAnswer(signs);
  if (unmarked) return unmarked;
  const isAutomated = evidence >= automatedEvidence;
  if (isVerification(signs, evidence)) return 'verification';
  return isAutomated ? kindOfAutomated(signs) : 'human';
}

/** Whether the message is a report that mail could not be delivered, was delivered or is late; not one about its content. */
export function isDeliveryNotice(message: CategoryInput): boolean {
  return isNotice(signsOf(message));
}

function signsOf(message: CategoryInput): Signs {
  const { headers, from, text, writtenText } = message;
  const subject = message.subject.toLowerCase();
  return {
    ...headerSigns(headers),
    message,
    sender: from?.address ?? '',
    subject,
    opening: `${subject}\n${(text ?? '').slice(0, openingCharacters).toLowerCase()}`,
    closing: (text ?? '').slice(-openingCharacters).toLowerCase(),
    written: (writtenText ?? text ?? '').slice(0, answerCharactersMax + 1).toLowerCase(),
    hasReplySubject: replyPrefix.test(subject),
  };
}

/** A feedback report (RFC 5965) or one of Microsoft's JMRP, whatever else the message has. */
function isFeedback({ message: { attachments = [] }, reportType, sender, subject }: Signs): boolean {
  if (reportType === 'feedback-report') return true;
  if (attachments.some(({ contentType }) => contentType.startsWith('message/feedback-report'))) return true;
  return /^staff@hotmail\.com$/i.test(sender) && /^complaint about message from/i.test(subject.trim());
}

/** A delivery status notification (RFC 3464), or the plain-text form that older servers send. */
function isNotice(signs: Signs): boolean {
  const { message, subject, sender, opening, hasNullReturnPath } = signs;
  if (signs.isRejection) return true;
  if (signs.reportType !== null) return signs.reportType === 'delivery-status';
  if (signs.hasFailedRecipients || daemon.test(sender)) return true;
  const isFromPostmaster = postmaster.test(sender);
  const returnsOriginal = message.attachments?.some(({ contentType }) => returnedTypes.test(contentType));
  if (bounceSubject.test(subject)) {
    return hasNullReturnPath || isFromPostmaster || (returnsOriginal === true && isMachineName(sender));
  }
  if (signs.isAutoReplied || signs.isReplyMachine || !(hasNullReturnPath || isFromPostmaster)) return false;
  return failureText.test(opening) && !absence.test(opening);
}

function isMachineName(sender: string): boolean {
  return noReply.test(sender) || program.test(sender) || role.test(sender);
}

/** An automatic answer that says so: by its headers, or by its subject in the form of mail servers. */
function markedAnswer(signs: Signs): Category | null {
  const { subject, opening, isAutoReplied, isReplyMachine, isMachineMade, hasNullReturnPath } = signs;
  const isReceipt = signs.reportType === 'disposition-notification';
  if (isReceipt) return 'auto_reply';
  const isNamed = autoReplySubject.test(subject) && !(subject.trim().length < 20 && asks(signs.written));
  // Exchange marks out-of-office replies as `auto-generated`; other servers only use an empty return path.
  const isAbsence =
    (isMachineMade || hasNullReturnPath) &&
    ((!signs.hasReplySubject && (absence.test(subject) || autoReplyOpening.test(subject))) ||
      absentWriter.test(pointOf(signs.written).point));
  if (!(isAutoReplied || isReplyMachine || isNamed || isAbsence)) return null;
  const isAway = absence.test(opening) || absentWriter.test(opening) || returning.test(opening);
  return isAway ? 'out_of_office' : 'auto_reply';
}

/** An automatic answer whose headers do not say so. People write about holidays, too, but ask, or go on to business. */
function unmarkedAnswer(signs: Signs): Category | null {
  const isPerson = signs.isPersonalProgram || (signs.isPersonalShape && !signs.isFromExchange);
  if (isPerson || signs.isBulk || signs.isDiscussion) return null;
  if (signs.written.length > answerCharactersMax || asks(signs.written)) return null;
  const isAnswer = signs.isAnswer || signs.hasReplySubject || signs.message.answersOurs === true;
  if (speaksOfAbsence(signs, isAnswer)) return 'out_of_office';
  return confirmsReceipt(signs, isAnswer) ? 'auto_reply' : null;
}

function speaksOfAbsence({ subject, written }: Signs, isAnswer: boolean): boolean {
  const { point, hasThanks } = pointOf(written);
  const isAway = absentWriter.test(point);
  const isBack = returning.test(written);
  if (autoReplyOpening.test(subject) && (isAway || isBack)) return true;
  if (plannedAbsence.test(point) && !returning.test(point)) return false;
  const isMeanwhile = meanwhile.test(written);
  const isAbsence = isAway ? isBack || isMeanwhile : hasThanks && isMeanwhile && returning.test(point);
  return isAnswer && isAbsence;
}

function confirmsReceipt(signs: Signs, isAnswer: boolean): boolean {
  const { subject, written, opening, isMachineMade } = signs;
  if (signs.isPersonalShape || (transaction.test(subject) && !signs.hasReplySubject)) return false;
  const isAutomated = automated.test(written);
  if (isAnswer && isAutomated && !isMachineMade) return true;
  if (asOnePerson.test(written) && !isAutomated && !isMachineMade) return false;
  const isReceived = received.test(subject) || received.test(written);
  return isReceived && (isAutomated || isMachineMade || promise.test(written) || ticketNumber.test(opening));
}

/** The first sentence after a greeting and thanks, where an out-of-office reply says what it is; people talk business there. */
function pointOf(written: string): { readonly point: string; readonly hasThanks: boolean } {
  let hasThanks = false;
  let point = '';
  // A full stop after digits belongs to a date.
  for (const sentence of written.split(/(?<=\p{L}{2}[.!]|[。！\n])/u)) {
    point = sentence.trim();
    const isThanks = point.length < thanksCharactersMax && thanks.test(point) && !absentWriter.test(point);
    hasThanks ||= isThanks;
    const isGreeting = point.length < greetingCharactersMax && point.split(/\s+/).length <= greetingWordsMax;
    if (!isThanks && !(isGreeting && !absentWriter.test(point))) break;
  }
  return { point, hasThanks };
}

/** An invitation, or the answer to one. Its words are a program's, the decision is a person's. */
function isCalendarMail({ attachments = [] }: CategoryInput): boolean {
  return attachments.some(
    ({ contentType, content }) =>
      contentType.startsWith('text/calendar') &&
      content !== undefined &&
      calendarMethod.test(Buffer.from(content.subarray(0, calendarBytes)).toString('latin1')),
  );
}

/** Evidence from which a program is the author. */
const automatedEvidence = 2;

/** Most that words add: of a code, order or event, a way off the list, "do not reply", a sum. */
const wordEvidenceMax = 5;

/** What speaks for a program as the author (positive) and for a person (negative), by weight. */
function evidenceOfProgram(signs: Signs): number {
  const { sender, subject, written, opening } = signs;
  const isAnswer = signs.isAnswer || signs.hasReplySubject;
  const ofHeaders = sumOf([
    [signs.isMachineMade, 8],
    [signs.reportType !== null, 4],
    [noReply.test(sender), 6],
    [program.test(sender), 2],
    [role.test(sender), 1],
    [signs.isBulk, 3],
    [signs.isLowPrecedence, 2],
    [signs.isSentByService, 1],
    [signs.message.answersOurs === true, -3],
    [signs.isPersonalProgram, -3],
    [signs.isPersonalShape && !signs.isPersonalProgram, -2],
    [isAnswer, -1],
  ]);
  // Words decide nothing more: most answers of people end here.
  if (ofHeaders + wordEvidenceMax < automatedEvidence) return ofHeaders;
  const ofWords = sumOf([
    [transaction.test(subject) || occurrence.test(subject) || speaksOfCode(signs), 1],
    [!isAnswer && offersLeaving(signs), 1],
    [automated.test(written), 2],
    [amount.test(opening), 1],
    [asks(written), -1],
  ]);
  return ofHeaders + ofWords;
}

function sumOf(weights: readonly (readonly [boolean, number])[]): number {
  return weights.reduce((sum, [isSo, weight]) => sum + (isSo ? weight : 0), 0);
}

/** A code or a link to confirm, in the subject; or in the text, with the code. */
function speaksOfCode({ subject, opening }: Signs): boolean {
  return verification.test(subject) || (verification.test(opening) && codeAlone.test(opening));
}

function offersLeaving({ opening, closing }: Signs): boolean {
  return unsubscribing.test(opening) || unsubscribing.test(closing);
}

function isVerification(signs: Signs, evidence: number): boolean {
  if (signs.isAnswer || signs.hasReplySubject || evidence < 0 || !speaksOfCode(signs)) return false;
  return evidence >= automatedEvidence || (verification.test(signs.subject) && codeAlone.test(signs.opening));
}

function kindOfAutomated(signs: Signs): Category {
  const { subject, sender, opening } = signs;
  const isPromotion = promotion.test(subject);
  if (transaction.test(subject) && !isPromotion) return 'transactional';
  if (!isPromotion && amount.test(opening)) return 'transactional';
  const isBulk = signs.isBulk || offersLeaving(signs);
  if (isPromotion && (isBulk || signs.isLowPrecedence)) return 'marketing';
  const isNotifier = notifier.test(sender) || signs.isMachineMade || occurrence.test(subject);
  return isBulk && !isNotifier ? 'marketing' : 'notification';
}
