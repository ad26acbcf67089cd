/**
 * Messages between functions: ids, kind and version, never payloads. Every consumer parses them with the schemas below. A
 * release that changes a schema raises its version and converts the messages of the release before it (`previous`): a
 * deployment loses no message in flight.
 */
import * as z from 'zod';
import type { QueueName } from './access/access.ts';
import { type HistoryEntryId, parseHistoryEntryId } from './emails/email.ts';
import { type Id, type IdPrefix, parseId } from './ids.ts';
import { suspensionReasons } from './sending/sending-guard.ts';
import { eventTypes } from './webhooks/event-types.ts';
import { UnknownMessage } from './work/unknown-message.ts';

const id = <P extends IdPrefix>(prefix: P) =>
  z.custom<Id<P>>((value) => typeof value === 'string' && parseId(prefix, value) !== null);
const unixMs = z.number();
const count = z.int().min(0);
const historyEntryIdSchema = z.custom<HistoryEntryId>(
  (value) => typeof value === 'string' && parseHistoryEntryId(value) !== null,
);

const submissionFields = {
  workspaceId: id('wks'),
  emailId: id('eml'),
  /** Number of the chunk; null: the whole email. */
  chunk: count.nullable(),
};

/** Give an email of one chunk, or a chunk, the next slot of its region's sending rate. */
const releaseMail = z.strictObject({
  kind: z.literal('release-mail'),
  v: z.literal(1),
  ...submissionFields,
  region: z.string(),
  /** Number of envelope recipients, which SES counts. */
  recipients: count,
});

/** Submit an email or a chunk to SES. */
const sendMail = z.strictObject({
  kind: z.literal('send-mail'),
  v: z.literal(1),
  ...submissionFields,
  /** The slot, `at` in virtual milliseconds of the region's limiter; null: it has none yet. */
  slot: z.strictObject({ region: z.string(), at: z.number(), recipients: count }).nullable(),
});

/** What an event is about; `publish-event` reads its data from there. */
export const eventSubjectSchema = z.union([
  z.strictObject({ emailId: id('eml'), entryId: historyEntryIdSchema.optional() }),
  /** `engagement`: number of the open or click. */
  z.strictObject({ emailId: id('eml'), engagement: count }),
  z.strictObject({ threadId: id('thr') }),
  z.strictObject({ domainId: id('dom') }),
  z.strictObject({ blockedId: id('blk') }),
  /** `connection`: number of the connection of the mailbox that the event reports, from 1. */
  z.strictObject({ mailboxId: id('mbx'), connection: count.optional() }),
]);

/** Let held emails of a workspace leave that may. The table says which. */
const paceMail = z.strictObject({
  kind: z.literal('pace-mail'),
  v: z.literal(1),
  workspaceId: id('wks'),
  /** The timer that fires; null: something has changed. */
  wakeAt: unixMs.nullable(),
});

/** Create a delivery of an event for each endpoint that subscribes to it. */
const publishEvent = z.strictObject({
  kind: z.literal('publish-event'),
  v: z.literal(1),
  workspaceId: id('wks'),
  eventId: id('evt'),
  type: z.enum(eventTypes),
  /** When the event happened. */
  at: unixMs,
  subject: eventSubjectSchema,
});

/** Send an event that has entered the log to the live connections of the workspace. */
const pushEvent = z.strictObject({
  kind: z.literal('push-event'),
  v: z.literal(1),
  workspaceId: id('wks'),
  eventId: id('evt'),
});

/** Begin the subscription of a live connection, or send what it is owed. The table says what that is. */
const continueLive = z.strictObject({
  kind: z.literal('continue-live'),
  v: z.literal(1),
  workspaceId: id('wks'),
  /** API Gateway's id. */
  connectionId: z.string(),
  /** Another subscription has replaced this one: nothing is to be done. */
  subscriptionId: z.string(),
});

/** Make an attempt of a delivery. The delivery is stored with the outcome of its first one. */
const deliverWebhook = z.strictObject({
  kind: z.literal('deliver-webhook'),
  v: z.literal(1),
  workspaceId: id('wks'),
  endpointId: id('whk'),
  deliveryId: id('dlv'),
  eventId: id('evt'),
  /** Of the delivery. */
  createdAt: unixMs,
  /** How often the delivery was requested again. */
  replay: count,
  /** Number of the attempt, from 1 in each replay: another one that is due says that this one is recorded. */
  attempt: count,
});

/** Bring back deliveries that wait for an endpoint, as far as it may be attempted: the time of its probe has come, or no worker is at it. */
const resumeEndpoint = z.strictObject({
  kind: z.literal('resume-endpoint'),
  v: z.literal(1),
  workspaceId: id('wks'),
  endpointId: id('whk'),
});

/** Tell the members of a workspace that nothing gets through to an endpoint. */
const reportOutage = z.strictObject({
  kind: z.literal('report-outage'),
  v: z.literal(1),
  workspaceId: id('wks'),
  endpointId: id('whk'),
  /** Since when; it identifies the outage. */
  failingSince: unixMs,
});

/** Tell the members of a workspace that its sending is suspended. */
const reportSuspension = z.strictObject({
  kind: z.literal('report-suspension'),
  v: z.literal(1),
  workspaceId: id('wks'),
  reason: z.enum(suspensionReasons),
  /** Since when; it identifies the suspension. */
  at: unixMs,
});

/** Mail links to the console to a member of any workspaces, if the address is one's. */
const mailLinks = z.strictObject({
  kind: z.literal('mail-links'),
  v: z.literal(1),
  /** Of the address: it may be no member's. */
  memberId: id('mem'),
  requestId: z.string(),
  /** When they were asked for. */
  at: unixMs,
  /** Scheme and host of the links, as API Gateway names them. */
  baseUrl: z.string(),
});

/** Cancel a draft that nobody has approved in time. */
const expireDraft = z.strictObject({
  kind: z.literal('expire-draft'),
  v: z.literal(1),
  workspaceId: id('wks'),
  emailId: id('eml'),
});

/** Delete the raw message of a blocked email that nobody has let in. */
const expireBlockedEmail = z.strictObject({
  kind: z.literal('expire-blocked-email'),
  v: z.literal(1),
  workspaceId: id('wks'),
  blockedId: id('blk'),
});

/** Check a domain's DNS records in the background. */
const checkDomain = z.strictObject({
  kind: z.literal('check-domain'),
  v: z.literal(1),
  workspaceId: id('wks'),
  domainId: id('dom'),
});

/** Continue the teardown of a deleted space. The table has its progress. */
const deleteSpace = z.strictObject({
  kind: z.literal('delete-space'),
  v: z.literal(1),
  workspaceId: id('wks'),
  spaceId: id('spc'),
  step: count,
});

/** Continue the teardown of an erased workspace. The table has its progress. */
const eraseWorkspace = deleteSpace.omit({ spaceId: true }).extend({ kind: z.literal('erase-workspace') });

/** Remove what a deleted email or thread has left. */
const eraseMail = z.strictObject({
  kind: z.literal('erase-mail'),
  v: z.literal(1),
  workspaceId: id('wks'),
  of: z.union([id('eml'), id('thr')]),
  /** The number of the pass: a message that arrives again has another one. */
  pass: count,
});

/** Delete the mail of a workspace that is older than it is kept. */
const expireMail = z.strictObject({
  kind: z.literal('expire-mail'),
  v: z.literal(1),
  workspaceId: id('wks'),
  /** The email before the next one; null: the oldest one is next. */
  after: id('eml').nullable(),
  /** When the next message of the sweep comes, which goes on. */
  until: unixMs,
});

/** End the authorization of a disconnected mailbox, and destroy its credentials. */
const revokeMailbox = z.strictObject({
  kind: z.literal('revoke-mailbox'),
  v: z.literal(1),
  workspaceId: id('wks'),
  mailboxId: id('mbx'),
  /** Of the mailbox when it was disconnected: another one was connected again. */
  revision: count,
  /** How often the provider was asked in vain. */
  tries: count,
});

/** Bring the SES identity of a name in line with the domains that claim it. */
const syncIdentity = z.strictObject({
  kind: z.literal('sync-identity'),
  v: z.literal(1),
  workspaceId: id('wks'),
  domainId: id('dom'),
  region: z.string(),
  name: z.string(),
  /** Number of polls so far: the wait grows with it. */
  polls: count,
});

/** Let the SES tenant of a workspace send with an identity, or delete the tenant. */
const syncTenant = z.strictObject({
  kind: z.literal('sync-tenant'),
  v: z.literal(1),
  workspaceId: id('wks'),
  region: z.string(),
  /** Its name; null: the workspace is erased. */
  identity: z.string().nullable(),
});

/**
 * Extract the text of a received file; once every file of the email is done, `receivedEvent` is published. null: there is
 * none, as of mail that is older than the connection of its mailbox.
 */
const extractText = z.strictObject({
  kind: z.literal('extract-text'),
  v: z.literal(1),
  workspaceId: id('wks'),
  emailId: id('eml'),
  attachmentId: id('att'),
  receivedEvent: publishEvent.nullable(),
});

/** Synchronize a mailbox with its provider. The table has its position. */
const syncMailbox = z.strictObject({
  kind: z.literal('sync-mailbox'),
  v: z.literal(1),
  workspaceId: id('wks'),
  mailboxId: id('mbx'),
  /** The timer that fires; null: a push, a connection or a request asks. */
  wakeAt: unixMs.nullable(),
});

/** Store a message of a mailbox. */
const receiveMailboxMessage = z.strictObject({
  kind: z.literal('receive-mailbox-message'),
  v: z.literal(1),
  workspaceId: id('wks'),
  mailboxId: id('mbx'),
  /** The provider's id. */
  messageId: z.string(),
  /** Tries that the provider has failed. */
  failures: count,
});

/** Submit an email through its mailbox, as a whole or a chunk of it. */
const submitMailboxEmail = z.strictObject({
  kind: z.literal('submit-mailbox-email'),
  v: z.literal(1),
  ...submissionFields,
});

/** Receive a message that inbound rules have blocked. */
const receiveBlockedEmail = z.strictObject({
  kind: z.literal('receive-blocked-email'),
  v: z.literal(1),
  workspaceId: id('wks'),
  blockedId: id('blk'),
});

export type ReceiveBlockedEmail = z.output<typeof receiveBlockedEmail>;
export type ReleaseMail = z.output<typeof releaseMail>;
export type SendMail = z.output<typeof sendMail>;
export type PaceMail = z.output<typeof paceMail>;
export type EventSubjectRef = z.output<typeof eventSubjectSchema>;
export type PublishEvent = z.output<typeof publishEvent>;
export type PushEvent = z.output<typeof pushEvent>;
export type ContinueLive = z.output<typeof continueLive>;
export type DeliverWebhook = z.output<typeof deliverWebhook>;
export type ResumeEndpoint = z.output<typeof resumeEndpoint>;
export type ReportOutage = z.output<typeof reportOutage>;
export type ReportSuspension = z.output<typeof reportSuspension>;
export type MailLinks = z.output<typeof mailLinks>;
export type ExpireDraft = z.output<typeof expireDraft>;
export type ExpireBlockedEmail = z.output<typeof expireBlockedEmail>;
export type CheckDomain = z.output<typeof checkDomain>;
export type DeleteSpace = z.output<typeof deleteSpace>;
export type EraseWorkspace = z.output<typeof eraseWorkspace>;
export type EraseMail = z.output<typeof eraseMail>;
export type ExpireMail = z.output<typeof expireMail>;
export type RevokeMailbox = z.output<typeof revokeMailbox>;
export type SyncIdentity = z.output<typeof syncIdentity>;
export type SyncTenant = z.output<typeof syncTenant>;
export type SyncMailbox = z.output<typeof syncMailbox>;
export type ReceiveMailboxMessage = z.output<typeof receiveMailboxMessage>;
export type SubmitMailboxEmail = z.output<typeof submitMailboxEmail>;
export type ExtractText = z.output<typeof extractText>;

const current = z.discriminatedUnion('kind', [
  releaseMail,
  sendMail,
  paceMail,
  publishEvent,
  pushEvent,
  continueLive,
  deliverWebhook,
  resumeEndpoint,
  reportOutage,
  reportSuspension,
  mailLinks,
  expireDraft,
  expireBlockedEmail,
  checkDomain,
  deleteSpace,
  eraseWorkspace,
  eraseMail,
  expireMail,
  revokeMailbox,
  syncIdentity,
  syncTenant,
  extractText,
  syncMailbox,
  receiveMailboxMessage,
  receiveBlockedEmail,
  submitMailboxEmail,
]);
export type QueueMessage = z.output<typeof current>;
export type QueueMessageOf<K extends QueueMessage['kind']> = Extract<QueueMessage, { kind: K }>;

/** Schemas of the previous release, each with a transformation into the one of this release. */
const previous: readonly z.ZodType<QueueMessage>[] = [];

/** A schema that takes messages of this and of the previous release. */
export function withPrevious<T>(schema: z.ZodType<T>, older: readonly z.ZodType<T>[]): z.ZodType<T> {
  return z.union([schema, ...older]);
}

export const queueMessageSchema = withPrevious<QueueMessage>(current, previous);

/** A message of a change; it is sent at `dueAt`, or at once. */
export const outboxMessageSchema = z.strictObject({
  message: queueMessageSchema,
  /** Unix milliseconds. */
  dueAt: unixMs.optional(),
});
export interface OutboxMessage {
  readonly message: QueueMessage;
  /** Unix milliseconds; absent: at once. */
  readonly dueAt?: number | undefined;
}

/** Longest delay of SQS, in seconds ("Amazon SQS message timers"). */
export const delaySecondsMax = 900;

/** A message in the delay queue or in a schedule. */
const delayedMessageSchema = z.strictObject({ message: queueMessageSchema, dueAt: unixMs });
export type DelayedMessage = z.output<typeof delayedMessageSchema>;

/** A message of kind `kind` from the body of its queue message. @throws UnknownMessage for any other body */
export function parseQueueMessage<K extends QueueMessage['kind']>(kind: K, body: string): QueueMessageOf<K> {
  return parseQueueMessageOf([kind], body);
}

/** As `parseQueueMessage`, for a queue of several kinds. @throws UnknownMessage */
export function parseQueueMessageOf<K extends QueueMessage['kind']>(
  kinds: readonly K[],
  body: string,
): QueueMessageOf<K> {
  const message = parse(queueMessageSchema, body);
  if (!isOfKind(message, kinds)) {
    throw new UnknownMessage(`expected ${kinds.join(' or ')}, got ${message.kind}`);
  }
  return message;
}

function isOfKind<K extends QueueMessage['kind']>(
  message: QueueMessage,
  kinds: readonly K[],
): message is QueueMessageOf<K> {
  return kinds.some((kind) => kind === message.kind);
}

/** @throws UnknownMessage */
export function parseDelayedMessage(body: string): DelayedMessage {
  return parse(delayedMessageSchema, body);
}

function parse<T>(schema: z.ZodType<T>, body: string): T {
  let json: unknown;
  try {
    json = JSON.parse(body);
  } catch (error) {
    throw new UnknownMessage('not JSON', error);
  }
  const result = schema.safeParse(json);
  if (result.success) return result.data;
  const { kind, v } = Object(json) as { kind?: unknown; v?: unknown };
  throw new UnknownMessage(`kind ${String(kind)}, version ${String(v)}`, result.error);
}

/**
 * The queue of a message, and its message group. On FIFO queues the group keeps order and concurrency; on standard
 * queues it keeps a busy workspace, or endpoint, from delaying others ("Amazon SQS fair queues").
 */
export function queueOf(message: QueueMessage): { queue: QueueName; group: string } {
  switch (message.kind) {
    case 'release-mail':
      return { queue: 'outgoing', group: `${message.region}:${message.workspaceId}` };
    case 'send-mail':
      return { queue: 'mail', group: message.workspaceId };
    case 'pace-mail':
      return { queue: 'pacing', group: message.workspaceId };
    case 'publish-event':
      return { queue: 'events', group: message.workspaceId };
    case 'push-event':
    case 'continue-live':
      return { queue: 'live', group: message.workspaceId };
    case 'deliver-webhook':
    case 'resume-endpoint':
      return { queue: 'deliveries', group: message.endpointId };
    case 'report-outage':
    case 'report-suspension':
    case 'expire-draft':
    case 'expire-blocked-email':
    case 'check-domain':
    case 'delete-space':
    case 'erase-workspace':
    case 'erase-mail':
    case 'expire-mail':
    case 'revoke-mailbox':
      return { queue: 'tasks', group: message.workspaceId };
    case 'mail-links':
      return { queue: 'tasks', group: message.memberId };
    case 'sync-identity':
    case 'sync-tenant':
      return { queue: 'identities', group: `${message.region}:${message.workspaceId}` };
    case 'extract-text':
      return { queue: 'attachments', group: message.workspaceId };
    case 'sync-mailbox':
      return { queue: 'mailboxes', group: message.workspaceId };
    case 'receive-mailbox-message':
    case 'receive-blocked-email':
      return { queue: 'mailbox-mail', group: message.workspaceId };
    case 'submit-mailbox-email':
      return { queue: 'mailbox-submissions', group: message.workspaceId };
  }
}
