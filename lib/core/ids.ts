/** Identifiers: a type prefix, an underscore, 32 lowercase hex characters (docs/concepts/requests.md#identifiers). */

/** Every prefix with its resource type. */
export const idPrefixes = {
  key: 'API key',
  spc: 'Space',
  dom: 'Domain',
  dns: 'DNS record',
  mbx: 'Mailbox',
  app: 'OAuth app',
  thr: 'Thread',
  eml: 'Email',
  att: 'Attachment',
  whk: 'Webhook endpoint',
  evt: 'Event',
  dlv: 'Webhook delivery',
  atp: 'Delivery attempt',
  sup: 'Suppression',
  pace: 'Pacing rule',
  /** Derived from the address of the member. */
  mem: 'Member',
  rul: 'Inbound rule',
  blk: 'Blocked email',
  /** Managed by the operator, not through the API. */
  wks: 'Workspace',
} as const;

export type IdPrefix = keyof typeof idPrefixes;

declare const tag: unique symbol;

/** An id of one resource type. Only the functions of this file make one. */
export type Id<P extends IdPrefix> = `${P}_${string}` & { readonly [tag]: P };

export type WorkspaceId = Id<'wks'>;
export type KeyId = Id<'key'>;
export type SpaceId = Id<'spc'>;
export type DomainId = Id<'dom'>;
export type DnsRecordId = Id<'dns'>;
export type MailboxId = Id<'mbx'>;
export type OauthAppId = Id<'app'>;
export type ThreadId = Id<'thr'>;
export type EmailId = Id<'eml'>;
export type AttachmentId = Id<'att'>;
export type EndpointId = Id<'whk'>;
export type EventId = Id<'evt'>;
export type DeliveryId = Id<'dlv'>;
export type AttemptId = Id<'atp'>;
export type SuppressionId = Id<'sup'>;
export type PacingRuleId = Id<'pace'>;
export type MemberId = Id<'mem'>;
export type InboundRuleId = Id<'rul'>;
export type BlockedEmailId = Id<'blk'>;

const form = /^([a-z]+)_[0-9a-f]{32}$/;

/** The id, or null where `text` is not an id of type `prefix`. */
export function parseId<P extends IdPrefix>(prefix: P, text: string): Id<P> | null {
  return form.exec(text)?.[1] === prefix ? (text as Id<P>) : null;
}

/**
 * A time-ordered id: 48 bits of Unix milliseconds, then 80 random bits. Lists sort by it, so that "newest first" needs no
 * index of its own.
 *
 * @param random at least 10 bytes; the first 10 are used
 */
export function composeId<P extends IdPrefix>(prefix: P, atMs: number, random: Uint8Array): Id<P> {
  const time = Math.trunc(atMs).toString(16).padStart(12, '0').slice(-12);
  return `${prefix}_${time}${Buffer.from(random.subarray(0, 10)).toString('hex')}` as Id<P>;
}

/** The id of the thread that an email begins: that of the email, so that a teardown finds what was put ahead of both. */
export function threadBegunBy(id: EmailId): ThreadId {
  return `thr_${id.slice('eml_'.length)}` as ThreadId;
}

/** The id of the email that began a thread; of a thread with an id of its own, that of no email. */
export function emailThatBegan(id: ThreadId): EmailId {
  return `eml_${id.slice('thr_'.length)}` as EmailId;
}

/** When a time-ordered id was created; Unix milliseconds. */
export function idTime(id: string): number {
  return Number.parseInt(id.slice(id.indexOf('_') + 1, id.indexOf('_') + 13), 16);
}
