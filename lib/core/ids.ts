/** Identifiers: a type tag, an underscore, 32 lowercase hex characters (interface, "Identifiers"). */

/** Every type tag with the resource it names. */
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
  /** Workspaces are the operator's, not the API's; their ids follow the same form. */
  wks: 'Workspace',
} as const;

export type IdPrefix = keyof typeof idPrefixes;

declare const tag: unique symbol;

/** An id of one resource type. Only `parseId` and the id adapter make one. */
export type Id<P extends IdPrefix> = `${P}_${string}` & { readonly [tag]: P };

export type WorkspaceId = Id<'wks'>;
export type KeyId = Id<'key'>;
export type SpaceId = Id<'spc'>;
export type DomainId = Id<'dom'>;
export type DnsRecordId = Id<'dns'>;
export type MailboxId = Id<'mbx'>;
export type ThreadId = Id<'thr'>;
export type EmailId = Id<'eml'>;
export type AttachmentId = Id<'att'>;
export type EndpointId = Id<'whk'>;
export type EventId = Id<'evt'>;
export type DeliveryId = Id<'dlv'>;
export type AttemptId = Id<'atp'>;
export type SuppressionId = Id<'sup'>;

const form = /^([a-z]+)_[0-9a-f]{32}$/;

/** The id, or null when `text` is not an id of type `prefix`. */
export function parseId<P extends IdPrefix>(prefix: P, text: string): Id<P> | null {
  return form.exec(text)?.[1] === prefix ? (text as Id<P>) : null;
}

/**
 * An id whose order is the order of creation: 48 bits of Unix milliseconds, then 80 random bits.
 * Lists sort by it, so that "newest first" needs no second index.
 */
export function composeId<P extends IdPrefix>(prefix: P, atMs: number, random: Uint8Array): Id<P> {
  const time = Math.trunc(atMs).toString(16).padStart(12, '0').slice(-12);
  return `${prefix}_${time}${Buffer.from(random.subarray(0, 10)).toString('hex')}` as Id<P>;
}

/** Unix milliseconds at which a time-ordered id was made. */
export function idTime(id: string): number {
  return Number.parseInt(id.slice(id.indexOf('_') + 1, id.indexOf('_') + 13), 16);
}
