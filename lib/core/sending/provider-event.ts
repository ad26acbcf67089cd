/** SES event notifications, parsed (Amazon SES Developer Guide, "Contents of event data that Amazon SES publishes to Amazon SNS"). */

import { addressKey } from '../../mail/addresses/addresses.ts';
import { bounceTypes, type EmailStatus, type HistoryEntry, type ReportFacts } from '../emails/email.ts';
import { type EmailId, parseId, type WorkspaceId } from '../ids.ts';
import type { EngagementRequest, EngagementSignal } from '../tracking/engagement.ts';

/** Message tags of a submission, which SES returns in every event. */
export const submissionTags = { workspace: 'workspace', email: 'email_id', chunk: 'chunk' } as const;

export interface ProviderEvent {
  readonly workspaceId: WorkspaceId;
  readonly emailId: EmailId;
  readonly chunk: number;
  /** SES message id. */
  readonly providerId: string;
  /** The history entry; null for opens, clicks and `Send`. */
  readonly entry: HistoryEntry | null;
  /** The open or click; null for other events. */
  readonly engagement: EngagementSignal | null;
  /** Identifies the event: SES sends no event id, and may send an event twice. */
  readonly source: string;
}

interface Mail {
  readonly timestamp?: string;
  readonly messageId?: string;
  readonly tags?: Readonly<Record<string, readonly string[]>>;
}

interface SesEvent {
  readonly eventType?: string;
  readonly mail?: Mail;
  readonly delivery?: {
    timestamp?: string;
    recipients?: string[];
    smtpResponse?: string;
    processingTimeMillis?: number;
    remoteMtaIp?: string;
  };
  readonly bounce?: {
    bounceType?: string;
    bounceSubType?: string;
    timestamp?: string;
    feedbackId?: string;
    bouncedRecipients?: BouncedRecipient[];
  };
  readonly complaint?: {
    timestamp?: string;
    feedbackId?: string;
    complaintFeedbackType?: string;
    userAgent?: string;
    complainedRecipients?: { emailAddress?: string }[];
  };
  readonly reject?: { reason?: string };
  readonly deliveryDelay?: {
    timestamp?: string;
    delayType?: string;
    delayedRecipients?: { emailAddress?: string; diagnosticCode?: string }[];
  };
  readonly failure?: { errorMessage?: string };
  readonly open?: SesEngagement;
  readonly click?: SesEngagement & { link?: string };
}

/** `action`, `status` and `diagnosticCode` where a delivery status notification was attached. */
interface BouncedRecipient {
  readonly emailAddress?: string;
  readonly action?: string;
  readonly status?: string;
  readonly diagnosticCode?: string;
}

interface SesEngagement {
  readonly timestamp?: string;
  readonly userAgent?: string;
  /** `Likely` or `Unlikely`. */
  readonly isBotEvent?: string;
}

/** Parses an event; null if it is not about an email of ours, or not of a recorded type. */
export function parseProviderEvent(json: string): ProviderEvent | null {
  let event: SesEvent;
  try {
    event = JSON.parse(json) as SesEvent;
  } catch {
    return null;
  }
  const tag = (name: string): string => event.mail?.tags?.[name]?.[0] ?? '';
  const workspaceId = parseId('wks', tag(submissionTags.workspace));
  const emailId = parseId('eml', tag(submissionTags.email));
  const providerId = event.mail?.messageId;
  if (!workspaceId || !emailId || !providerId) return null;
  const entry = entryOf(event);
  const engagement = engagementOf(event);
  if (!entry && !engagement && event.eventType !== 'Send') return null;
  const feedback = event.bounce?.feedbackId ?? event.complaint?.feedbackId ?? '';
  return {
    workspaceId,
    emailId,
    chunk: Number(tag(submissionTags.chunk)) || 0,
    providerId,
    entry,
    engagement,
    source: [
      event.eventType,
      providerId,
      feedback,
      ...(entry?.recipients ?? []),
      ...(engagement ? [engagement.at, engagement.url, engagement.userAgent] : []),
    ].join('\n'),
  };
}

/** Unix milliseconds of an event; of its mail if it has no time of its own. */
function timeIn(event: SesEvent, time: string | undefined): number {
  return Date.parse(time ?? event.mail?.timestamp ?? '') || 0;
}

function engagementOf(event: SesEvent): EngagementSignal | null {
  switch (event.eventType) {
    case 'Open':
      return { type: 'open', url: null, ...engagementRequestOf(event, event.open) };
    case 'Click':
      return { type: 'click', url: event.click?.link ?? null, ...engagementRequestOf(event, event.click) };
    default:
      return null;
  }
}

function engagementRequestOf(
  event: SesEvent,
  { timestamp, userAgent, isBotEvent }: SesEngagement = {},
): EngagementRequest {
  return {
    at: timeIn(event, timestamp),
    userAgent: userAgent ?? null,
    headers: {},
    isSuspected: isBotEvent === 'Likely',
  };
}

function entryOf(event: SesEvent): HistoryEntry | null {
  switch (event.eventType) {
    case 'Delivery':
      return deliveryEntry(event);
    case 'Bounce':
      return bounceEntry(event);
    case 'Complaint': {
      const { timestamp, feedbackId, userAgent, complainedRecipients, complaintFeedbackType } =
        event.complaint ?? {};
      return {
        type: 'complained',
        at: timeIn(event, timestamp),
        recipients: addressesIn(complainedRecipients),
        detail: complaintFeedbackType ?? null,
        ...factsOf({ feedbackId: textIn(feedbackId), userAgent: textIn(userAgent) }),
      };
    }
    case 'DeliveryDelay': {
      const { timestamp, delayedRecipients, delayType } = event.deliveryDelay ?? {};
      return {
        type: 'delayed',
        at: timeIn(event, timestamp),
        recipients: addressesIn(delayedRecipients),
        detail: diagnosticIn(delayedRecipients) ?? delayType ?? null,
      };
    }
    case 'Reject':
      return rejectedEntry(event, event.reject?.reason);
    case 'Rendering Failure':
      return rejectedEntry(event, event.failure?.errorMessage);
    default:
      return null;
  }
}

function deliveryEntry(event: SesEvent): HistoryEntry {
  const {
    timestamp,
    recipients = [],
    smtpResponse,
    processingTimeMillis,
    remoteMtaIp,
  } = event.delivery ?? {};
  return {
    type: 'delivered',
    at: timeIn(event, timestamp),
    recipients,
    detail: smtpResponse ?? null,
    ...factsOf({ processingTimeMs: numberIn(processingTimeMillis), remoteMtaIp: textIn(remoteMtaIp) }),
  };
}

function bounceEntry(event: SesEvent): HistoryEntry {
  const { bounceType, bounceSubType, feedbackId, timestamp, bouncedRecipients } = event.bounce ?? {};
  return {
    type: 'bounced',
    at: timeIn(event, timestamp),
    recipients: addressesIn(bouncedRecipients),
    detail: diagnosticIn(bouncedRecipients) ?? [bounceType, bounceSubType].filter(Boolean).join(': '),
    permanent: bounceType === 'Permanent',
    ...factsOf({
      bounceType: bounceTypes.find((type) => type === bounceType),
      bounceSubType: textIn(bounceSubType),
      feedbackId: textIn(feedbackId),
      recipients: bouncedRecipients
        ?.filter(({ emailAddress }) => emailAddress)
        .map(({ action, status, diagnosticCode }) => ({
          action: textIn(action),
          status: textIn(status),
          diagnosticCode: textIn(diagnosticCode),
        })),
    }),
  };
}

function rejectedEntry(event: SesEvent, reason: string | undefined): HistoryEntry {
  return { type: 'rejected', at: timeIn(event, undefined), recipients: [], detail: reason ?? null };
}

function addressesIn(list: readonly { readonly emailAddress?: string }[] = []): string[] {
  return list.flatMap(({ emailAddress }) => (emailAddress ? [emailAddress] : []));
}

function diagnosticIn(list: readonly { readonly diagnosticCode?: string }[] = []): string | undefined {
  return list.find(({ diagnosticCode }) => diagnosticCode)?.diagnosticCode;
}

function factsOf(facts: ReportFacts): { readonly facts?: ReportFacts } {
  return Object.values(facts).some((fact) => fact !== undefined) ? { facts } : {};
}

/** A fact of another type than documented is left out: it would make the entry unreadable. */
const textIn = (fact: unknown): string | undefined =>
  typeof fact === 'string' && fact !== '' ? fact : undefined;
const numberIn = (fact: unknown): number | undefined =>
  Number.isFinite(fact) ? (fact as number) : undefined;

/**
 * The email status that follows from a history: complained over bounced over delivered over sent
 * (docs/concepts/email-lifecycle.md). `bounced` only when delivery is pending for no recipient.
 *
 * @param envelope all recipients of the email
 */
export function statusFromHistory(
  history: readonly HistoryEntry[],
  envelope: readonly string[],
): Extract<EmailStatus, 'sent' | 'delivered' | 'bounced' | 'complained' | 'failed'> {
  const reached = (type: HistoryEntry['type']): Set<string> =>
    new Set(
      history.filter((entry) => entry.type === type).flatMap((entry) => entry.recipients.map(addressKey)),
    );
  if (reached('complained').size > 0) return 'complained';
  const bounced = reached('bounced');
  const delivered = reached('delivered');
  // Recipients of a chunk that SES refused are not pending.
  const refused = reached('failed');
  const isPending = (one: string) => ![bounced, delivered, refused].some((set) => set.has(addressKey(one)));
  if (bounced.size > 0 && !envelope.some(isPending)) return 'bounced';
  if (delivered.size > 0) return 'delivered';
  if (history.some((entry) => entry.type === 'rejected')) return 'failed';
  return 'sent';
}
