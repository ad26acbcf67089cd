/** Emails: head, content, history and status (docs/concepts/email-lifecycle.md). Times are Unix milliseconds. */
import { createHash } from 'node:crypto';
import type { Address } from '../../mail/addresses/addresses.ts';
import type { Category } from '../../mail/category/categories.ts';
import type { TextExtraction } from '../../mail/files/extracted-text.ts';
import type { Header } from '../../mail/message/headers.ts';
import type { Verdicts } from '../../mail/message/verdicts.ts';
import type { Segment } from '../../mail/quoting/text-document.ts';
import type { Signal } from '../../mail/signals/signal-codes.ts';
import type { AttachmentId, DomainId, EmailId, MailboxId, SpaceId, ThreadId } from '../ids.ts';
import type { SubmissionChunk } from './submission.ts';

export const emailStatuses = [
  'draft',
  'scheduled',
  'canceled',
  'queued',
  'sending',
  'sent',
  'delivered',
  'bounced',
  'complained',
  'failed',
  'received',
] as const;
export type EmailStatus = (typeof emailStatuses)[number];

/** Progress of an email: its head, its history and its submission. */
export interface EmailProgress {
  readonly head: EmailHead;
  /** Oldest first. */
  readonly history: readonly HistoryEntry[];
  /** Chunks claimed so far, by number. */
  readonly chunks: readonly SubmissionChunk[];
}

export interface FullEmail extends EmailProgress {
  readonly content: EmailContent;
  /** Text extraction of each file; null while it is pending, or where it is not done. */
  readonly extractions: ReadonlyMap<AttachmentId, TextExtraction | null>;
  /** Number of recorded opens and clicks. */
  readonly engagementCount: number;
}

/** A change of an email's head; absent properties stay as they are. */
export interface EmailHeadChange {
  readonly status?: EmailStatus;
  readonly messageId?: string;
  readonly sentAt?: number;
  readonly scheduledAt?: number | null;
  readonly cancellation?: Cancellation;
}

export type Direction = 'inbound' | 'outbound';

/** Inbound mail has one status only; everything else is outbound. */
export function directionOf(status: EmailStatus): Direction {
  return status === 'received' ? 'inbound' : 'outbound';
}

/** The part of an email that lists read and that changes. */
export interface EmailHead {
  readonly id: EmailId;
  readonly threadId: ThreadId;
  readonly spaceId: SpaceId | null;
  readonly status: EmailStatus;
  readonly from: Address;
  readonly to: readonly Address[];
  /** Cc, Bcc and Reply-To addresses: `query` finds them, lists do not show them. */
  readonly others: readonly Address[];
  readonly subject: string;
  readonly snippet: string;
  readonly category: Category | null;
  /** Inbound mail that is no source of default recipients: marked by the workspace's inbound policy, or DMARC failed. */
  readonly suspicious: boolean;
  readonly suppressionKey: string | null;
  /** With angle brackets. Outbound: our own until SES replaces it (docs/concepts/email-lifecycle.md#message-ids). */
  readonly messageId: string;
  readonly inReplyTo: string | null;
  readonly idempotencyKey: string | null;
  /** A message of a person in its thread cancels it before it leaves; absent: nothing does. */
  readonly cancelOnReply?: true;
  /** Of a draft, and of an email that was one; absent on other emails. */
  readonly draft?: DraftFacts;
  /** Why it is canceled; absent on other emails. */
  readonly cancellation?: Cancellation;
  readonly domainId: DomainId | null;
  readonly mailboxId: MailboxId | null;
  readonly createdAt: number;
  readonly scheduledAt: number | null;
  readonly sentAt: number | null;
  /** Raised by each change; writers compare it. */
  readonly revision: number;
}

/** Who wrote and who approved a draft: the id of an API key, or the address of a member (docs/concepts/drafts.md). */
export interface DraftFacts {
  /** Raised by each edit, from 1; of an approved draft the version that was approved. */
  readonly version: number;
  /** null: not recorded. */
  readonly draftedBy: string | null;
  /** Of the last edit; null: the draft is as it was written. */
  readonly editedBy: string | null;
  readonly approvedBy: string | null;
  /** Unix milliseconds; from then on the draft is canceled. null: it was stored before drafts expired. */
  readonly expiresAt: number | null;
}

export const cancelReasons = ['request', 'reply', 'discarded', 'expired'] as const;

/** Why and when an email was canceled. */
export interface Cancellation {
  readonly reason: (typeof cancelReasons)[number];
  readonly at: number;
  /** Whose request it was; null: none. */
  readonly by: string | null;
  /** The received message that canceled it; null: none did. */
  readonly byEmailId: EmailId | null;
}

export const noVerdicts: Verdicts = {
  spam: null,
  virus: null,
  spf: null,
  dkim: null,
  dmarc: null,
  dmarcPolicy: null,
};

/** A file of an email; its bytes are in the content bucket. */
export interface StoredAttachment {
  readonly id: AttachmentId;
  readonly filename: string;
  readonly contentType: string;
  /** Decoded bytes. */
  readonly size: number;
  readonly cid: string | null;
  /** As the sender asked; absent: by whether the html shows the file. */
  readonly disposition?: Disposition;
}

export const dispositions = ['attachment', 'inline'] as const;
export type Disposition = (typeof dispositions)[number];

/** The tracking and unsubscribe links of a message. */
export interface LinkSettings {
  /** Scheme and host of the send request, without a final slash (docs/decisions/0032-link-base-url.md). */
  readonly baseUrl: string;
  /** Each recipient gets an unsubscribe link of their own, and thus a chunk of their own. */
  readonly unsubscribe: boolean;
  readonly opens: boolean;
  readonly clicks: boolean;
}

/** What a send asks of pacing. */
export interface PacingOptions {
  /** The email passes the rules by. */
  readonly skip: boolean;
  /** The email uses up allowance. */
  readonly count: boolean;
}

/** The part of an email that never changes. */
export interface EmailContent {
  /** All of To, where the head has only the first ones. */
  readonly to?: readonly Address[];
  /** Inbound: the envelope recipients in this space; the header may name others. */
  readonly envelope?: readonly string[];
  readonly cc: readonly Address[];
  readonly bcc: readonly Address[];
  readonly replyTo: readonly Address[];
  readonly html: string | null;
  readonly text: string | null;
  readonly strippedText: string | null;
  readonly strippedHtml: string | null;
  readonly segments: readonly Segment[];
  /** Message-IDs with angle brackets, oldest first. */
  readonly references: readonly string[];
  readonly headers: readonly Header[];
  readonly attachments: readonly StoredAttachment[];
  readonly verdicts: Verdicts;
  /** Inbound: text of the message that a person does not see, at most 64 KB; absent where nothing is hidden. */
  readonly hiddenText?: string | null;
  /** Inbound, at most 20; absent on mail that was received before there were any. */
  readonly signals?: readonly Signal[];
  /** Outbound: recipients that were suppressed at acceptance; they are in no envelope. */
  readonly suppressed?: readonly string[];
  /** Outbound: absent where the message has no tracking or unsubscribe links. */
  readonly links?: LinkSettings;
  /** Of an edited draft: the message as it was written first, bounded. */
  readonly original?: OriginalMessage;
  /** Outbound, scheduled: what the send asked of pacing. */
  readonly pacing?: PacingOptions;
  /** The object of the message as received; absent on outbound mail. */
  readonly raw?: { readonly bucket: string; readonly key: string; readonly region: string };
  /** What teardown needs to know of a received message; absent on outbound mail. */
  readonly arrival?: Arrival;
}

/** A draft as it was written first. */
export interface OriginalMessage {
  readonly subject: string;
  readonly to: readonly Address[];
  readonly cc: readonly Address[];
  readonly bcc: readonly Address[];
  readonly text: string | null;
  readonly html: string | null;
  /** Whether `text` or `html` is cut. */
  readonly isCut: boolean;
}

/** How a message arrived: what is stored of it elsewhere. */
export interface Arrival {
  /** Under which the space has recorded the message. */
  readonly fingerprint: string;
  readonly inReplyTo: readonly string[];
  /** The raw message belongs to emails of other spaces or workspaces, too. */
  readonly isShared: boolean;
}

declare const historyEntryIdTag: unique symbol;
/** Identifies an entry of an email's history; sorts by time. */
export type HistoryEntryId = string & { readonly [historyEntryIdTag]: true };

/**
 * The id of a history entry. A report that is repeated has the same time and source, hence the same id.
 *
 * @param atMs Unix milliseconds
 * @param source distinguishes the entry from every other of the email
 */
export function historyEntryId(atMs: number, source: string): HistoryEntryId {
  const digest = createHash('sha256').update(source).digest('hex').slice(0, 32);
  return `${String(atMs).padStart(15, '0')}#${digest}` as HistoryEntryId;
}

/** The id in a text, or null. */
export function parseHistoryEntryId(text: string): HistoryEntryId | null {
  return /^\d{15}#[0-9a-f]{32}$/.test(text) ? (text as HistoryEntryId) : null;
}

export const historyTypes = [
  'sent',
  'delivered',
  'delayed',
  'bounced',
  'complained',
  'rejected',
  'failed',
  'received',
  'suppressed',
  'unsubscribed',
] as const;

export const bounceTypes = ['Permanent', 'Transient', 'Undetermined'] as const;

/** What a report says beside its outcome, in the words of SES. A fact that it does not have is absent. */
export interface ReportFacts {
  readonly bounceType?: (typeof bounceTypes)[number] | undefined;
  readonly bounceSubType?: string | undefined;
  readonly feedbackId?: string | undefined;
  readonly userAgent?: string | undefined;
  readonly processingTimeMs?: number | undefined;
  readonly remoteMtaIp?: string | undefined;
  /** Of each of the entry's recipients, in their order. */
  readonly recipients?: readonly RecipientFacts[] | undefined;
}

/** What a delivery status notification says of a recipient (RFC 3464, 2.3). */
export interface RecipientFacts {
  readonly action?: string | undefined;
  readonly status?: string | undefined;
  readonly diagnosticCode?: string | undefined;
}

/** One entry of an email's history (`events[]` in the API). */
export interface HistoryEntry {
  readonly type: (typeof historyTypes)[number];
  readonly at: number;
  readonly recipients: readonly string[];
  readonly detail: string | null;
  /** On `bounced`: a hard bounce (docs/concepts/reading-mail.md#hard-bounces). */
  readonly permanent?: boolean;
  /** Absent where the report has none. */
  readonly facts?: ReportFacts;
  /** On `failed`: SES refused the message; absent where it was never submitted, as its domain is not verified. */
  readonly isRefused?: boolean;
  /** On `unsubscribed`. */
  readonly optOut?: { readonly scope: SuppressionScope; readonly source: OptOutSource };
}

/** The Message-IDs that SES wrote over ours, oldest first: one for each chunk it accepted. */
export function wireMessageIds(history: readonly HistoryEntry[]): string[] {
  return history.flatMap(({ type, detail }) => (type === 'sent' && detail !== null ? [detail] : []));
}

/** Whether SES refused the message, when it was submitted or afterwards. */
export function isRefusedBySes(history: readonly HistoryEntry[]): boolean {
  return history.some(({ type, isRefused }) => type === 'rejected' || isRefused);
}

export const suppressionScopes = ['all', 'optional'] as const;
/** `optional` blocks only mail that was sent with `unsubscribe: true`. */
export type SuppressionScope = (typeof suppressionScopes)[number];

/** How a recipient opted out: on the page, by a mail program's button, or by mail. */
export const optOutSources = ['link', 'one_click', 'reply'] as const;
export type OptOutSource = (typeof optOutSources)[number];

/** Whether an outbound email may be submitted, or is being. */
export const isInSubmission = ({ status }: Pick<EmailHead, 'status'>): boolean =>
  status === 'queued' || status === 'sending';

/**
 * The status of an email with its chunks. Of an email of one chunk the claim says that its submission has begun: the head, and
 * lists with it, stay at `queued` until the outcome.
 */
export function currentStatus({ head, chunks }: Pick<EmailProgress, 'head' | 'chunks'>): EmailStatus {
  // A claim that was put back with a reason is not being submitted. The head follows a completed chunk.
  const hasBegun = chunks.some(
    ({ state, claimedAt, reason }) => state !== 'claimed' || claimedAt > 0 || reason === null,
  );
  return head.status === 'queued' && hasBegun ? 'sending' : head.status;
}

/**
 * Whether a status may follow another (docs/concepts/email-lifecycle.md#transitions). Late and repeated provider events
 * never move a status back: `complained` over `bounced` over `delivered` over `sent`.
 */
export function mayFollow(from: EmailStatus, to: EmailStatus): boolean {
  return successors[from].includes(to);
}

const successors: Record<EmailStatus, readonly EmailStatus[]> = {
  // A draft becomes an email by its approval or its end, not by a change of its status.
  draft: [],
  scheduled: ['canceled', 'queued'],
  canceled: [],
  queued: ['canceled', 'sending', 'failed'],
  sending: ['sent', 'queued', 'failed'],
  sent: ['delivered', 'bounced', 'complained', 'failed'],
  delivered: ['bounced', 'complained'],
  bounced: ['complained'],
  complained: [],
  failed: [],
  received: [],
};
