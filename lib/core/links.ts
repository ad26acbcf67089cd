/**
 * The links that we write into mail: what each stands for, signed so that nobody can make or change one.
 *
 * A token is one byte of kind, the workspace, the email, the number of the recipient, the address that a click leads to,
 * and a MAC over all of it, in base64url. It names nobody: a link that leaks tells no address.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { type EmailId, type IdPrefix, parseId, type WorkspaceId } from './ids.ts';

const kinds = ['unsubscribe', 'open', 'click'] as const;
export type LinkKind = (typeof kinds)[number];

export interface Link {
  readonly kind: LinkKind;
  readonly workspaceId: WorkspaceId;
  readonly emailId: EmailId;
  /** Place in the email's envelope; null where all recipients share the link. */
  readonly recipient: number | null;
  /** Where a click leads. */
  readonly target: string | null;
}

const idBytes = 16;
const macBytes = 16;
const workspaceAt = 1;
const emailAt = workspaceAt + idBytes;
const recipientAt = emailAt + idBytes;
const targetAt = recipientAt + 2;
const nobody = 0xffff;
/** The gateway takes 10 KB of request line and headers. */
const tokenCharactersMax = 6000;

const form = /^[A-Za-z0-9_-]+$/;

/** Signs a link. */
export function sealLink(link: Link, secret: string): string {
  const recipient = Buffer.alloc(2);
  recipient.writeUInt16BE(link.recipient ?? nobody);
  const stated = Buffer.concat([
    Buffer.from([kinds.indexOf(link.kind) + 1]),
    bytesOf(link.workspaceId),
    bytesOf(link.emailId),
    recipient,
    Buffer.from(link.target ?? ''),
  ]);
  return Buffer.concat([stated, macOf(stated, secret)]).toString('base64url');
}

/** The workspace that a token claims to be of, whose secret then tells whether it is; null for what is no token. */
export function claimedWorkspace(token: string): WorkspaceId | null {
  const bytes = bytesOfToken(token);
  return bytes && idAt('wks', bytes, workspaceAt);
}

/** What a token of this kind stands for; null where the secret's owner did not sign it. */
export function openLink(kind: LinkKind, token: string, secret: string): Link | null {
  const bytes = bytesOfToken(token);
  if (!bytes) return null;
  const stated = bytes.subarray(0, -macBytes);
  if (!timingSafeEqual(bytes.subarray(-macBytes), macOf(stated, secret))) return null;
  const workspaceId = idAt('wks', stated, workspaceAt);
  const emailId = idAt('eml', stated, emailAt);
  if (!workspaceId || !emailId || kinds[(stated[0] ?? 0) - 1] !== kind) return null;
  const recipient = stated.readUInt16BE(recipientAt);
  return {
    kind,
    workspaceId,
    emailId,
    recipient: recipient === nobody ? null : recipient,
    target: stated.length > targetAt ? stated.subarray(targetAt).toString() : null,
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

function macOf(stated: Buffer, secret: string): Buffer {
  return createHmac('sha256', secret).update(stated).digest().subarray(0, macBytes);
}
