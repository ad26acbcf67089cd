/**
 * Reports that come back as mail: delivery status notifications (RFC 3464), what servers write instead of them, and
 * feedback reports (RFC 5965). Structure counts before text, and text only where the mail is a bounce by its headers.
 */
import { addressKey } from './addresses.ts';
import { categorize } from './category.ts';
import { isDelayNotice, type NamedRecipient, namedRecipients, noticeOf, squeeze } from './dsn-text.ts';
import { enhancedCode, isHardBounce } from './hard-bounce.ts';
import { firstHeaderValue, headerValues } from './headers.ts';
import { parseMessageIds } from './message-ids.ts';
import { type OriginalMessage, originalMessageOf } from './original-message.ts';
import type { ParsedMessage } from './parse-mime.ts';
import { addressIn, type FieldGroup, fieldGroups, fieldValue } from './report-fields.ts';
import { textOfHtml } from './text.ts';

export interface ReportedRecipient {
  /** As the sender wrote it, where the report says so: servers on the way may have rewritten it. */
  readonly address: string;
  readonly action: 'failed' | 'delayed' | 'complained';
  /** Enhanced status code (RFC 3463), null when none is given. */
  readonly status: string | null;
  /** What the refusing server said, on one line. */
  readonly diagnostic: string | null;
  /** Of a failure: whether trying again later is pointless. */
  readonly permanent: boolean;
}

export interface DeliveryReport {
  /** A bounce as soon as delivery to one recipient has failed. */
  readonly kind: 'bounce' | 'delay' | 'complaint';
  /** Empty where the report names nobody, as when a feedback loop hides who complained. */
  readonly recipients: readonly ReportedRecipient[];
  /** With angle brackets, as on the wire. */
  readonly originalMessageId: string | null;
  /** Of the original message, oldest first; then what the report itself cites. */
  readonly originalReferences: readonly string[];
  /** The first diagnostic, or the type of feedback. */
  readonly reason: string | null;
}

/** Feedback by which a person or their provider objects. `not-spam` is praise, `auth-failure` is about our DNS. */
const objections = ['abuse', 'fraud', 'virus', 'other'];

/** What a message reports of an earlier one, or null when it reports nothing. Never throws. */
export function readDeliveryReport(message: ParsedMessage): DeliveryReport | null {
  const text = message.text ?? (message.html === null ? '' : textOfHtml(message.html));
  const read = readFeedback(message) ?? readStatus(message, text);
  if (read === null) return null;
  const returned = originalMessageOf(message, text);
  return { ...read(returned), ...originalOf(message, returned) };
}

type Read = (returned: OriginalMessage) => Pick<DeliveryReport, 'kind' | 'recipients' | 'reason'>;

function originalOf(message: ParsedMessage, returned: OriginalMessage) {
  const cited = [...new Set([...message.references, ...message.inReplyTo])];
  // A report answers the message it speaks of (RFC 3834 3.1.5).
  const messageId = returned.messageId ?? message.inReplyTo[0] ?? null;
  return {
    originalMessageId: messageId,
    originalReferences: [...new Set([...returned.references, ...cited, ...envelopeIds(message)])],
  };
}

/** `Original-Envelope-Id` is whatever the sender chose; some systems choose the Message-ID. */
function envelopeIds(message: ParsedMessage): string[] {
  return partsOf(message, statusType)
    .flatMap(fieldGroups)
    .flatMap((group) => parseMessageIds(fieldValue(group, 'original-envelope-id') ?? ''));
}

const statusType = /^message\/(?:global-)?delivery-status/;
const feedbackType = /^message\/feedback-report/;
/** A report of a thousand recipients has a tenth of this. */
const partOctetsMax = 2 * 1024 * 1024;
const recipientsMax = 1000;

function partsOf(message: ParsedMessage, type: RegExp): string[] {
  return message.attachments
    .filter(({ contentType }) => type.test(contentType))
    .map(({ content }) => Buffer.from(content.subarray(0, partOctetsMax)).toString('utf8'));
}

// Feedback

function readFeedback(message: ParsedMessage): Read | null {
  const groups = partsOf(message, feedbackType).flatMap(fieldGroups);
  if (groups.length === 0) return readHotmail(message);
  const fields = groups.flat();
  const type = fieldValue(fields, 'feedback-type')?.toLowerCase() ?? 'abuse';
  if (!objections.includes(type)) return null;
  const named = fields
    .filter(([name]) => name === 'original-rcpt-to' || name === 'removal-recipient')
    .map(([, value]) => value);
  return () => complaint(named, type);
}

/** Microsoft's feedback loop (JMRP) sends the message alone, with the recipient in a field of its own. */
function readHotmail({ from, subject, attachments }: ParsedMessage): Read | null {
  const isHotmail =
    /@hotmail\.com$/i.test(from?.address ?? '') && /^complaint about message from/i.test(subject);
  if (!isHotmail || !attachments.some(({ contentType }) => contentType === 'message/rfc822')) return null;
  return ({ header }) =>
    complaint(
      fieldGroups(header)
        .flat()
        .flatMap(([name, value]) => (name === 'x-hmxmroriginalrecipient' ? [value] : [])),
      'abuse',
    );
}

function complaint(named: readonly string[], type: string): ReturnType<Read> {
  const recipients = named.flatMap((value) => {
    const address = addressIn(value);
    return address === null
      ? []
      : [{ address, action: 'complained', status: null, diagnostic: null, permanent: false } as const];
  });
  return { kind: 'complaint', recipients: unique(recipients), reason: type };
}

// Delivery status

function readStatus(message: ParsedMessage, text: string): Read | null {
  const parts = partsOf(message, statusType);
  const isReport = /^multipart\/report/i.test(
    firstHeaderValue(message.headers, 'content-type')?.trim() ?? '',
  );
  const isBounce = categorize({ ...message, text, verdicts: { spam: null } }) === 'bounce';
  if (!isBounce && !(isReport && parts.length > 0)) return null;
  const groups = parts.length > 0 ? parts.flatMap(statusGroups) : statusGroups(text.slice(0, partOctetsMax));
  const notice = noticeOf(text);
  const words = wordsOf(notice);
  const structured = groups.slice(0, recipientsMax).flatMap((group) => recipientOf(group, words));
  const isAboutOthers =
    structured.length === 0 && groups.some((group) => isSuccess(fieldValue(group, 'action')));
  if (isAboutOthers) return null;
  const recipients = unique(structured.length > 0 ? structured : fromText(message, notice, words, groups));
  const isDelay =
    recipients.length === 0
      ? isDelayNotice(message.subject, notice)
      : recipients.every(({ action }) => action === 'delayed');
  const first = recipients.find(({ action }) => isDelay || action === 'failed');
  const reason = first?.diagnostic ?? first?.status ?? null;
  return () => ({ kind: isDelay ? 'delay' : 'bounce', recipients, reason });
}

/** What a notice says of each recipient that it names, by address. */
type Words = ReadonlyMap<string, NamedRecipient>;

function wordsOf(notice: string): Words {
  return new Map(namedRecipients(notice).map((named) => [addressKey(named.address), named]));
}

/** The groups that speak of a recipient or its delivery. A field that repeats begins the next recipient. */
function statusGroups(text: string): FieldGroup[] {
  const groups: FieldGroup[] = [];
  for (const group of fieldGroups(text)) {
    let current: [string, string][] = [];
    for (const [name, value] of group) {
      if (groupFields.has(name) && current.some(([known]) => known === name)) {
        groups.push(current);
        current = [];
      }
      current.push([name, value]);
    }
    groups.push(current);
  }
  return groups.filter((group) => group.some(([name]) => groupFields.has(name)));
}

const groupFields = new Set(['final-recipient', 'original-recipient', 'x-actual-recipient', 'action']);

function recipientOf(group: FieldGroup, words: Words): ReportedRecipient[] {
  const address = ['original-recipient', 'final-recipient', 'x-actual-recipient']
    .map((name) => addressIn(fieldValue(group, name)))
    .find((found) => found !== null);
  const action = fieldValue(group, 'action');
  if (!address || isSuccess(action)) return [];
  const status = enhancedCode(fieldValue(group, 'status') ?? '');
  const diagnostic =
    withoutType(fieldValue(group, 'diagnostic-code')) ?? words.get(addressKey(address))?.said ?? null;
  return [reported(address, isDelayed(action, status) ? 'delayed' : 'failed', status, diagnostic)];
}

function isSuccess(action: string | null): boolean {
  return /^(?:delivered|relayed|expanded)/i.test(action ?? '');
}

function isDelayed(action: string | null, status: string | null): boolean {
  return action === null ? status?.startsWith('4') === true : /^(?:delay|defer)/i.test(action);
}

/** `smtp; 550 …` without the type (RFC 3464 2.3.6). */
function withoutType(value: string | null): string | null {
  return value === null ? null : squeeze(value.replace(/^[\w-]+\s*;\s*/, '')) || null;
}

/** `X-Failed-Recipients` (Exim, Gmail) names them for certain; else the notice does. */
function fromText(
  message: ParsedMessage,
  notice: string,
  words: Words,
  groups: readonly FieldGroup[],
): ReportedRecipient[] {
  const named = [...words.values()];
  const failed = headerValues(message.headers, 'x-failed-recipients').flatMap((value) =>
    value.split(',').flatMap((one) => addressIn(one) ?? []),
  );
  const listed = failed.map((address) => ({
    address,
    said: words.get(addressKey(address))?.said ?? squeeze(notice),
  }));
  const found = failed.length > 0 && !named.some(isForwarded(failed)) ? listed : named;
  // A status part that hides the recipient still says what happened.
  const status = groups.map((group) => enhancedCode(fieldValue(group, 'status') ?? '')).find(Boolean) ?? null;
  const action = isDelayNotice(message.subject, notice) ? 'delayed' : 'failed';
  return found
    .slice(0, recipientsMax)
    .map(({ address, said }) => reported(address, action, status ?? enhancedCode(said), said));
}

/** Whether a notice puts another address under the name of a failed one: then it knows what was written to. */
function isForwarded(failed: readonly string[]) {
  const keys = new Set(failed.map(addressKey));
  return ({ address, said }: NamedRecipient) =>
    !keys.has(addressKey(address)) && failed.some((one) => said.toLowerCase().startsWith(one.toLowerCase()));
}

function reported(
  address: string,
  action: 'failed' | 'delayed',
  status: string | null,
  diagnostic: string | null,
): ReportedRecipient {
  const permanent = action === 'failed' && isHardBounce({ status, diagnostic });
  return { address, action, status, diagnostic, permanent };
}

/** Each recipient once; what failed counts before what is delayed. */
function unique(recipients: readonly ReportedRecipient[]): ReportedRecipient[] {
  const byKey = new Map<string, ReportedRecipient>();
  for (const one of recipients) {
    const key = addressKey(one.address);
    if (byKey.get(key)?.action !== 'failed') byKey.set(key, one);
  }
  return [...byKey.values()];
}
