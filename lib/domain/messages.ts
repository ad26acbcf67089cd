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
  readonly round: number;
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
export interface SettleIdentity {
  readonly kind: 'settle-identity';
  readonly v: 1;
  readonly workspaceId: WorkspaceId;
  readonly domainId: DomainId;
  readonly region: string;
  readonly name: string;
  /** How often it was looked at already: the wait grows with it. */
  readonly round: number;
}

/** Read a file of a received email into text; once every file of the email is read, `news` is sent on its way. */
export interface PrepareAttachment {
  readonly kind: 'prepare-attachment';
  readonly v: 1;
  readonly workspaceId: WorkspaceId;
  readonly emailId: EmailId;
  readonly attachmentId: AttachmentId;
  readonly news: PublishEvent;
}

export type Message =
  | SendMail
  | PublishEvent
  | DeliverWebhook
  | CheckDomain
  | SettleIdentity
  | PrepareAttachment;
export type MessageOf<K extends Message['kind']> = Extract<Message, { kind: K }>;

/** Work that a change owes: a message, now or at a time. */
export interface Owed {
  readonly message: Message;
  /** Unix milliseconds; absent: at once. */
  readonly dueAt?: number;
}

/** A message that waits in the wake queue or in a schedule. */
export interface Waiting {
  readonly message: Message;
  readonly dueAt: number;
}

/**
 * The queue of a message and its message group. On FIFO queues the group is the promise of order and
 * concurrency; on standard queues it keeps one busy workspace from delaying the others (SQS fair queues).
 */
export function routeOf(message: Message): { queue: QueueName; group: string } {
  switch (message.kind) {
    case 'send-mail':
      return { queue: 'mail', group: message.workspaceId };
    case 'publish-event':
      return { queue: 'events', group: message.workspaceId };
    case 'deliver-webhook':
      return { queue: 'webhooks', group: `${message.endpointId}:${message.slot}` };
    case 'check-domain':
      return { queue: 'tasks', group: message.workspaceId };
    case 'settle-identity':
      return { queue: 'identities', group: message.region };
    case 'prepare-attachment':
      return { queue: 'attachments', group: message.workspaceId };
  }
}

/** A message of kind `kind` as it comes from its queue. @throws Error for any other: the queue holds what it should not */
export function parseMessage<K extends Message['kind']>(kind: K, body: string): MessageOf<K> {
  const message = JSON.parse(body) as Message;
  if (message.kind !== kind || message.v !== 1) {
    throw new Error(`expected ${kind} v1, got ${message.kind} v${message.v}`);
  }
  return message as MessageOf<K>;
}
