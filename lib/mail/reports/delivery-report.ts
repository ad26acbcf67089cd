/**
 * Reports that arrive as mail: delivery status notifications (RFC 3464), their plain-text forms, and feedback reports
 * (RFC 5965). Structured fields take precedence over text; text counts only in mail that is a bounce by its headers.
 */
import { addressKey } from '../addresses/addresses.ts';
import { isDeliveryNotice } from '../category/category.ts';
import { textOfHtml } from '../html/html-text.ts';
import { firstHeaderValue, headerValues } from '../message/headers.ts';
import { parseMessageIds } from '../message/parse-message-ids.ts';
import type { ParsedMessage } from '../message/parse-mime.ts';
import {
  collapseWhitespace,
  dsnTextOf,
  isDelayNotice,
  type NamedRecipient,
  namedRecipients,
} from './dsn-text.ts';
import { enhancedCode, isHardBounce } from './hard-bounce.ts';
import { type OriginalMessage, originalMessageOf } from './original-message.ts';
import { addressIn, type FieldGroup, fieldGroups, fieldValue } from './report-fields.ts';

export interface ReportedRecipient {
  /** `Original-Recipient` if given: relays may have rewritten the final one. */
  readonly address: string;
  readonly action: 'failed' | 'delayed' | 'complained';
  /** Enhanced status code (RFC 3463), null when none is given. */
  readonly status: string | null;
  /** The response of the refusing server, on one line. */
  readonly diagnostic: string | null;
  /** Whether the address does not exist or never accepts mail. False for delays and complaints. */
  readonly permanent: boolean;
}

export interface DeliveryReport {
  /** `bounce` if delivery to at least one recipient failed. */
  readonly kind: 'bounce' | 'delay' | 'complaint';
  /** Empty if the report names nobody: feedback loops often redact the recipient. */
  readonly recipients: readonly ReportedRecipient[];
  /** With angle brackets. */
  readonly originalMessageId: string | null;
  /** References of the original message, oldest first; then those of the report. */
  readonly originalReferences: readonly string[];
  /** The first diagnostic, or the type of feedback. */
  readonly reason: string | null;
}

/** Feedback types that are complaints (RFC 5965 7.3). Not `not-spam` and `auth-failure`. */
const complaintTypes = ['abuse', 'fraud', 'virus', 'other'];

/** The delivery report that a message contains, or null. Never throws. */
export function readDeliveryReport(message: ParsedMessage): DeliveryReport | null {
  const text = message.text ?? (message.html === null ? '' : textOfHtml(message.html));
  const feedback = feedbackFields(message, text);
  // Feedback is not about delivery, whatever its type and its words.
  const read =
    feedback === null ? (readHotmail(message) ?? readStatus(message, text)) : readFeedback(feedback);
  if (read === null) return null;
  const returned = originalMessageOf(message, text);
  return { ...read(returned), ...originalOf(message, returned) };
}

type Read = (returned: OriginalMessage) => Pick<DeliveryReport, 'kind' | 'recipients' | 'reason'>;

function originalOf(message: ParsedMessage, returned: OriginalMessage) {
  const cited = [...new Set([...message.references, ...message.inReplyTo])];
  // A report's In-Reply-To names the original message (RFC 3834 3.1.5).
  const messageId = returned.messageId ?? message.inReplyTo[0] ?? null;
  return {
    originalMessageId: messageId,
    originalReferences: [...new Set([...returned.references, ...cited, ...envelopeIds(message)])],
  };
}

/** Some systems use the Message-ID as `Original-Envelope-Id`. */
function envelopeIds(message: ParsedMessage): string[] {
  return partsOf(message, statusType)
    .flatMap(fieldGroups)
    .flatMap((group) => parseMessageIds(fieldValue(group, 'original-envelope-id') ?? ''));
}

const statusType = /^message\/(?:global-)?delivery-status/;
const feedbackType = /^message\/feedback-report/;
/** A report about a thousand recipients has a tenth of this size. */
const partBytesMax = 2 * 1024 * 1024;
const recipientsMax = 1000;

function partsOf(message: ParsedMessage, type: RegExp): string[] {
  return message.attachments
    .filter(({ contentType }) => type.test(contentType))
    .map(({ content }) => Buffer.from(content.subarray(0, partBytesMax)).toString('utf8'));
}

// Feedback

/** The fields of a feedback report in any part; null for other mail. */
function feedbackFields(message: ParsedMessage, text: string): FieldGroup | null {
  const parts = partsOf(message, feedbackType);
  if (parts.length > 0) return parts.flatMap(fieldGroups).flat();
  const type = firstHeaderValue(message.headers, 'content-type') ?? '';
  if (!/^\s*multipart\/report\b/i.test(type) || !/\breport-type\s{0,9}=\s{0,9}"?feedback-report/i.test(type))
    return null;
  // Some programs declare the part as another type, or not at all.
  const others = [text.slice(0, partBytesMax), ...partsOf(message, /^(?:text\/|application\/octet-stream)/)];
  return others.flatMap(fieldGroups).find((group) => fieldValue(group, 'feedback-type') !== null) ?? [];
}

function readFeedback(fields: FieldGroup): Read | null {
  const type = fieldValue(fields, 'feedback-type')?.toLowerCase() ?? (fields.length > 0 ? 'abuse' : '');
  if (!complaintTypes.includes(type)) return null;
  const named = fields
    .filter(([name]) => name === 'original-rcpt-to' || name === 'removal-recipient')
    .map(([, value]) => value);
  return () => complaint(named, type);
}

/** Microsoft's feedback loop (JMRP) attaches the message, with the recipient in a header of its own. */
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
    return address === null || isRedacted(address)
      ? []
      : [{ address, action: 'complained', status: null, diagnostic: null, permanent: false } as const];
  });
  return { kind: 'complaint', recipients: unique(recipients), reason: type };
}

/** An address in place of one that is concealed (RFC 6590) names nobody. */
function isRedacted(address: string): boolean {
  return /^(?:redacted|removed|concealed|hidden|undisclosed|anonymi[sz]ed|x+|\*+)@|@(?:redacted|removed|x+)\b|\.invalid$/i.test(
    address,
  );
}

// Delivery status

function readStatus(message: ParsedMessage, text: string): Read | null {
  const parts = partsOf(message, statusType);
  const isReport = /^multipart\/report/i.test(
    firstHeaderValue(message.headers, 'content-type')?.trim() ?? '',
  );
  const isBounce = isDeliveryNotice({ ...message, text, verdicts: { spam: null } });
  if (!isBounce && !(isReport && parts.length > 0)) return null;
  const groups = parts.length > 0 ? parts.flatMap(statusGroups) : statusGroups(text.slice(0, partBytesMax));
  const dsnText = dsnTextOf(text);
  const contexts = recipientContexts(dsnText);
  const structured = groups.slice(0, recipientsMax).flatMap((group) => recipientOf(group, contexts));
  const isAboutOthers =
    structured.length === 0 && groups.some((group) => isSuccess(fieldValue(group, 'action')));
  if (isAboutOthers) return null;
  const recipients = unique(
    structured.length > 0 ? structured : fromText(message, dsnText, contexts, groups),
  );
  const isDelay =
    recipients.length === 0
      ? isDelayNotice(message.subject, dsnText)
      : recipients.every(({ action }) => action === 'delayed');
  const first = recipients.find(({ action }) => isDelay || action === 'failed');
  const reason = first?.diagnostic ?? first?.status ?? null;
  return () => ({ kind: isDelay ? 'delay' : 'bounce', recipients, reason });
}

/** The DSN text about each named recipient, by address key. */
type RecipientContexts = ReadonlyMap<string, NamedRecipient>;

function recipientContexts(dsnText: string): RecipientContexts {
  return new Map(namedRecipients(dsnText).map((named) => [addressKey(named.address), named]));
}

/** The per-recipient field groups (RFC 3464 2.3). A repeated field begins the next recipient. */
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

function recipientOf(group: FieldGroup, contexts: RecipientContexts): ReportedRecipient[] {
  const address = ['original-recipient', 'final-recipient', 'x-actual-recipient']
    .map((name) => addressIn(fieldValue(group, name)))
    .find((found) => found !== null);
  const action = fieldValue(group, 'action');
  if (!address || isSuccess(action)) return [];
  const status = enhancedCode(fieldValue(group, 'status') ?? '');
  const diagnostic =
    stripDiagnosticType(fieldValue(group, 'diagnostic-code')) ??
    contexts.get(addressKey(address))?.context ??
    null;
  return [reported(address, isDelayed(action, status) ? 'delayed' : 'failed', status, diagnostic)];
}

function isSuccess(action: string | null): boolean {
  return /^(?:delivered|relayed|expanded)/i.test(action ?? '');
}

function isDelayed(action: string | null, status: string | null): boolean {
  return action === null ? status?.startsWith('4') === true : /^(?:delay|defer)/i.test(action);
}

/** Removes the diagnostic type: `smtp; 550 …` (RFC 3464 2.3.6). */
function stripDiagnosticType(value: string | null): string | null {
  return value === null ? null : collapseWhitespace(value.replace(/^[\w-]+\s*;\s*/, '')) || null;
}

/** Recipients from `X-Failed-Recipients` (Exim, Gmail), else from the DSN text. */
function fromText(
  message: ParsedMessage,
  dsnText: string,
  contexts: RecipientContexts,
  groups: readonly FieldGroup[],
): ReportedRecipient[] {
  const named = [...contexts.values()];
  const failed = headerValues(message.headers, 'x-failed-recipients').flatMap((value) =>
    value.split(',').flatMap((one) => addressIn(one) ?? []),
  );
  const isOneContext = contexts.size === 0 || failed.length === 1;
  const listed = failed.map((address) => ({
    address,
    // Text about other recipients is not about this one.
    context: contexts.get(addressKey(address))?.context ?? (isOneContext ? collapseWhitespace(dsnText) : ''),
  }));
  const found = failed.length > 0 && !named.some(isForwarded(failed)) ? listed : named;
  // A status part without a recipient still has the status.
  const statuses = new Set(
    groups.map((group) => enhancedCode(fieldValue(group, 'status') ?? '')).filter(Boolean),
  );
  const [status = null] = statuses.size === 1 ? statuses : [];
  const action = isDelayNotice(message.subject, dsnText) ? 'delayed' : 'failed';
  return found
    .slice(0, recipientsMax)
    .map(({ address, context }) =>
      reported(address, action, status ?? enhancedCode(context), context || null),
    );
}

/** Whether the DSN text names the original address below a failed one, to which it was forwarded. */
function isForwarded(failed: readonly string[]) {
  const keys = new Set(failed.map(addressKey));
  return ({ address, context }: NamedRecipient) =>
    !keys.has(addressKey(address)) &&
    failed.some((one) => context.toLowerCase().startsWith(one.toLowerCase()));
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

/** Each recipient once; a failure takes precedence over a delay. */
function unique(recipients: readonly ReportedRecipient[]): ReportedRecipient[] {
  const byKey = new Map<string, ReportedRecipient>();
  for (const one of recipients) {
    const key = addressKey(one.address);
    if (byKey.get(key)?.action !== 'failed') byKey.set(key, one);
  }
  return [...byKey.values()];
}
