/**
 * Signed tokens of tracking and unsubscribe links (docs/decisions/0029-own-tracking-links.md).
 *
 * A token is one byte of kind, the workspace, the email, the index of the recipient, the target of a click, and a MAC over
 * all of it, in base64url. It has no address of a recipient: a leaked link identifies nobody.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { type EmailId, type IdPrefix, parseId, type WorkspaceId } from '../ids.ts';

const kinds = ['unsubscribe', 'open', 'click'] as const;
export type LinkKind = (typeof kinds)[number];

export interface Link {
  readonly kind: LinkKind;
  readonly workspaceId: WorkspaceId;
  readonly emailId: EmailId;
  /** Index in the email's envelope; null where all recipients share the link. */
  readonly recipient: number | null;
  /** URL of a click; null for the other kinds. */
  readonly target: string | null;
}

const idBytes = 16;
const macBytes = 16;
const workspaceAt = 1;
const emailAt = workspaceAt + idBytes;
const recipientAt = emailAt + idBytes;
const targetAt = recipientAt + 2;
const noRecipient = 0xffff;
/** API Gateway accepts 10,240 bytes of request line and headers ("Quotas for configuring and running an HTTP API"). */
const tokenCharactersMax = 6000;

const form = /^[A-Za-z0-9_-]+$/;

/** The token of a link. @param secret the workspace's link secret */
export function sealLink(link: Link, secret: string): string {
  const recipient = Buffer.alloc(2);
  recipient.writeUInt16BE(link.recipient ?? noRecipient);
  const payload = Buffer.concat([
    Buffer.from([kinds.indexOf(link.kind) + 1]),
    bytesOf(link.workspaceId),
    bytesOf(link.emailId),
    recipient,
    Buffer.from(link.target ?? ''),
  ]);
  return Buffer.concat([payload, macOf(payload, secret)]).toString('base64url');
}

/** The workspace that a token names, not verified: its secret verifies the token. null for text that is no token. */
export function claimedWorkspace(token: string): WorkspaceId | null {
  const bytes = bytesOfToken(token);
  return bytes && idAt('wks', bytes, workspaceAt);
}

/** The link of a token of this kind; null where the token was not signed with `secret`. */
export function openLink(kind: LinkKind, token: string, secret: string): Link | null {
  const bytes = bytesOfToken(token);
  if (!bytes) return null;
  const payload = bytes.subarray(0, -macBytes);
  if (!timingSafeEqual(bytes.subarray(-macBytes), macOf(payload, secret))) return null;
  const workspaceId = idAt('wks', payload, workspaceAt);
  const emailId = idAt('eml', payload, emailAt);
  if (!workspaceId || !emailId || kinds[(payload[0] ?? 0) - 1] !== kind) return null;
  const recipient = payload.readUInt16BE(recipientAt);
  return {
    kind,
    workspaceId,
    emailId,
    recipient: recipient === noRecipient ? null : recipient,
    target: payload.length > targetAt ? payload.subarray(targetAt).toString() : null,
  };
}

function bytesOfToken(token: string): Buffer | null {
  if (token.length > tokenCharactersMax || !form.test(token)) return null;
  const bytes = Buffer.from(token, 'base64url');
  return bytes.length >= targetAt + macBytes ? bytes : null;
}

function bytesOf(id: string): Buffer {
  return Buffer.from(id.slice(id.indexOf('_') + 1), 'hex');
}

function idAt<P extends IdPrefix>(prefix: P, bytes: Buffer, at: number) {
  return parseId(prefix, `${prefix}_${bytes.subarray(at, at + idBytes).toString('hex')}`);
}

function macOf(payload: Buffer, secret: string): Buffer {
  return createHmac('sha256', secret).update(payload).digest().subarray(0, macBytes);
}
