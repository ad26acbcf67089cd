/** Sessions of the console and links that begin them, by the hash of their token, in the partition of their workspace. */
import type { WorkspaceId } from '../../core/ids.ts';
import type { MailLinks } from '../../core/queue-messages.ts';
import type { AuditEntry } from '../../core/workspaces/audit.ts';
import type { Member } from '../../core/workspaces/workspace.ts';
import { codec, named, number, secondsAsMs, text } from '../table/codec.ts';
import { expressionsOf } from '../table/expressions.ts';
import { loginKey, loginLinkKey, sessionKey } from '../table/keys.ts';
import { asStored, newOutboxId } from '../table/outbox-item.ts';
import { get } from '../table/reads.ts';
import { put, remove, updateIf } from '../table/table.ts';
import { commitIfUnchanged } from '../table/transactions.ts';
import { addAuditEntry } from './audit.ts';
import { inUse, sameMember } from './members.ts';

/** A session, or a link. */
export interface Grant {
  readonly email: string;
  /** Of the member when it was made. */
  readonly epoch: number;
  /** Unix milliseconds. */
  readonly endsAt: number;
}

const grantCodec = codec<Grant & { readonly expiresAt: number }>('session', {
  email: text,
  epoch: number,
  endsAt: named('validUntil', number),
  expiresAt: secondsAsMs,
});

/** TTL in seconds: an item must not go before its end. */
const encode = (grant: Grant) => grantCodec.encode({ ...grant, expiresAt: grant.endsAt + 1000 });

/** Stores a session. False where the member has signed out everywhere or is gone, or the workspace is erased. */
export async function storeSession(
  workspaceId: WorkspaceId,
  hash: string,
  of: { readonly member: Member; readonly endsAt: number; readonly audit: AuditEntry },
): Promise<boolean> {
  const { email, epoch } = of.member;
  const grant = encode({ email, epoch, endsAt: of.endsAt });
  return await commitIfUnchanged(workspaceId, [
    { as: 'session', put: { ...sessionKey(workspaceId, hash), ...grant } },
    sameMember(workspaceId, of.member),
    inUse(workspaceId),
    addAuditEntry(workspaceId, of.audit),
  ]);
}

/** A session by the hash of its token, or null. Whether it may be used is for the caller to decide. */
export async function findSession(workspaceId: WorkspaceId, hash: string): Promise<Grant | null> {
  const item = await get(sessionKey(workspaceId, hash));
  return item && grantCodec.decode(item);
}

export async function removeSession(workspaceId: WorkspaceId, hash: string): Promise<void> {
  await remove(sessionKey(workspaceId, hash));
}

/** Stores a link. It counts only while its member is one: no condition is needed. */
export async function storeLink(workspaceId: WorkspaceId, hash: string, grant: Grant): Promise<void> {
  await put({ ...loginLinkKey(workspaceId, hash), ...encode(grant) });
}

/** A link by the hash of its token, or null where there is none or it was used. */
export async function findLink(workspaceId: WorkspaceId, hash: string): Promise<Grant | null> {
  const item = await get(loginLinkKey(workspaceId, hash));
  return item && item.usedBy === undefined ? grantCodec.decode(item) : null;
}

/** Uses a link up. False where it is used or gone. */
export async function useLink(workspaceId: WorkspaceId, hash: string, sessionHash: string): Promise<boolean> {
  // A repetition of this call, whose answer was lost, finds its own mark.
  const key = loginLinkKey(workspaceId, hash);
  const used = expressionsOf({ set: { usedBy: sessionHash } }, { exists: true, absent: ['usedBy'] });
  if (await updateIf(key, used)) return true;
  return (await get(key))?.usedBy === sessionHash;
}

/**
 * Counts a request for sign-in links in a window. False where `max` were counted already.
 *
 * @param subject the address or the source
 */
export async function countLogin(
  subject: string,
  { windowMs, max, nowMs }: { readonly windowMs: number; readonly max: number; readonly nowMs: number },
): Promise<boolean> {
  const window = Math.floor(nowMs / windowMs);
  const expiresAt = secondsAsMs.write((window + 1) * windowMs + 60_000);
  const counted = await updateIf(loginKey(subject, `COUNT#${window}`), {
    UpdateExpression: 'SET #expiresAt = :expiresAt ADD #count :one',
    ConditionExpression: 'attribute_not_exists(#count) OR #count < :max',
    ExpressionAttributeNames: { '#count': 'count', '#expiresAt': 'expiresAt' },
    ExpressionAttributeValues: { ':one': 1, ':max': max, ':expiresAt': expiresAt },
  });
  return counted !== null;
}

/** Stores a request for sign-in links, with its message. */
export async function storeLoginRequest(message: MailLinks, expiresAtMs: number): Promise<void> {
  const key = loginKey(message.memberId, `REQUEST#${message.requestId}`);
  const expiresAt = secondsAsMs.write(expiresAtMs);
  await put({ ...key, expiresAt, ...asStored(newOutboxId(), [{ message }]) });
}
