/** Messages between the parts: ids, kind and version, never payloads. */
import type { QueueName } from './access.ts';
import type {
  AttachmentId,
  DeliveryId,
  DomainId,
  EmailId,
  EndpointId,
  EventId,
  ThreadId,
  WorkspaceId,
} from './ids.ts';
import type { EventType } from './webhooks/event-types.ts';

/** Hand off one chunk of an email, or (`chunk` null) all of it. */
export interface SendMail {
  readonly kind: 'send-mail';
  readonly v: 1;
  readonly workspaceId: WorkspaceId;
  readonly emailId: EmailId;
  readonly chunk: number | null;
}

/** Something happened that endpoints may want to hear of; its data is read from what it names. */
export interface PublishEvent {
  readonly kind: 'publish-event';
  readonly v: 1;
  readonly workspaceId: WorkspaceId;
  readonly eventId: EventId;
  readonly type: EventType;
  /** Unix milliseconds at which it happened. */
  readonly at: number;
  readonly subject:
    | {
        readonly emailId: EmailId /** Sort key of the history entry it came from. */;
        readonly entry?: string;
      }
    | { readonly emailId: EmailId /** Number of the open or click. */; readonly hit: number }
    | { readonly threadId: ThreadId }
    | { readonly domainId: DomainId };
}

/** Make attempt number `attempt` (1-based, of replay round `round`) of a delivery. */
export interface DeliverWebhook {
  readonly kind: 'deliver-webhook';
  readonly v: 1;
  readonly workspaceId: WorkspaceId;
  readonly endpointId: EndpointId;
  readonly deliveryId: DeliveryId;
  readonly attempt: number;
  readonly replay: number;
  /** Message group: at most `max_concurrency` slots an endpoint. */
  readonly slot: number;
}

/** Look up a domain's DNS records in the background. */
export interface CheckDomain {
  readonly kind: 'check-domain';
  readonly v: 1;
  readonly workspaceId: WorkspaceId;
  readonly domainId: DomainId;
}

/** Bring the SES identity of a name in line with the domain that holds it (or with its deletion). */
export interface SyncIdentity {
  readonly kind: 'sync-identity';
  readonly v: 1;
  readonly workspaceId: WorkspaceId;
  readonly domainId: DomainId;
  readonly region: string;
  readonly name: string;
  /** How often it was looked at already: the wait grows with it. */
  readonly polls: number;
}

/** Read a file of a received email into text; once every file of the email is read, `news` is sent on its way. */
export interface ExtractText {
  readonly kind: 'extract-text';
  readonly v: 1;
  readonly workspaceId: WorkspaceId;
  readonly emailId: EmailId;
  readonly attachmentId: AttachmentId;
  readonly receivedEvent: PublishEvent;
}

export type QueueMessage =
  | SendMail
  | PublishEvent
  | DeliverWebhook
  | CheckDomain
  | SyncIdentity
  | ExtractText;
export type QueueMessageOf<K extends QueueMessage['kind']> = Extract<QueueMessage, { kind: K }>;

/** Work that a change owes: a message, now or at a time. */
export interface OutboxMessage {
  readonly message: QueueMessage;
  /** Unix milliseconds; absent: at once. */
  readonly dueAt?: number;
}

/** A message that waits in the delay queue or in a schedule. */
export interface DelayedMessage {
  readonly message: QueueMessage;
  readonly dueAt: number;
}

/**
 * The queue of a message and its message group. On FIFO queues the group is the promise of order and
 * concurrency; on standard queues it keeps one busy workspace from delaying the others (SQS fair queues).
 */
export function queueOf(message: QueueMessage): { queue: QueueName; group: string } {
  switch (message.kind) {
    case 'send-mail':
      return { queue: 'mail', group: message.workspaceId };
    case 'publish-event':
      return { queue: 'events', group: message.workspaceId };
    case 'deliver-webhook':
      return { queue: 'webhooks', group: `${message.endpointId}:${message.slot}` };
    case 'check-domain':
      return { queue: 'tasks', group: message.workspaceId };
    case 'sync-identity':
      return { queue: 'identities', group: message.region };
    case 'extract-text':
      return { queue: 'attachments', group: message.workspaceId };
  }
}

/** A message of kind `kind` as it comes from its queue. @throws Error for any other: the queue holds what it should not */
export function parseQueueMessage<K extends QueueMessage['kind']>(kind: K, body: string): QueueMessageOf<K> {
  const message = JSON.parse(body) as QueueMessage;
  if (message.kind !== kind || message.v !== 1) {
    throw new Error(`expected ${kind} v1, got ${message.kind} v${message.v}`);
  }
  return message as QueueMessageOf<K>;
}
