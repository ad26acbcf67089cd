/**
 * Credentials of connected mailboxes, sealed, each in an item of its own with the lease of the function that refreshes
 * them. A new connection replaces the item, and with it the lease: what an older refresh returns is not stored.
 */
import type { MailboxId, WorkspaceId } from '../../core/ids.ts';
import type { SealedTokens } from '../../core/mailboxes/credentials.ts';
import { codec, list, number, text } from '../table/codec.ts';
import { mailboxCredentialsKey } from '../table/keys.ts';
import { acquireLease, type Lease, releaseLease, unlessLeased } from '../table/leases.ts';
import { get } from '../table/reads.ts';
import type { Item } from '../table/table.ts';
import type { Write } from '../table/transactions.ts';

const credentialsCodec = codec<SealedTokens>('mailbox credentials', {
  refreshToken: list(text),
  accessToken: list(text),
  expiresAt: number,
});

/** The credentials in an item of a batch. */
export function decodeCredentials(item: Item | null | undefined): SealedTokens | null {
  return item ? credentialsCodec.decode(item) : null;
}

/** The credentials of a mailbox; null where there are none: it is disconnected. */
export async function findCredentials(workspaceId: WorkspaceId, id: MailboxId): Promise<SealedTokens | null> {
  return decodeCredentials(await get(mailboxCredentialsKey(workspaceId, id)));
}

/** The write that stores the credentials of a new connection, without a lease. */
export function putCredentials(workspaceId: WorkspaceId, id: MailboxId, tokens: SealedTokens): Write {
  const item = { ...mailboxCredentialsKey(workspaceId, id), ...credentialsCodec.encode(tokens) };
  return { as: 'credentials', put: item };
}

/** As `putCredentials`, named `credentials`: its condition fails while a function has the lease of the old ones. */
export function putFreeCredentials(
  workspaceId: WorkspaceId,
  id: MailboxId,
  tokens: SealedTokens,
  nowMs: number,
): Write {
  return { ...putCredentials(workspaceId, id, tokens), ...unlessLeased(nowMs) };
}

/** The write that destroys the credentials of a mailbox. */
export function deleteCredentials(workspaceId: WorkspaceId, id: MailboxId): Write {
  return { as: 'credentials', delete: mailboxCredentialsKey(workspaceId, id) };
}

/** Takes the lease to refresh or revoke the credentials; null where another function has it, or there are none. */
export async function acquireCredentials(
  workspaceId: WorkspaceId,
  id: MailboxId,
  lease: Lease,
  nowMs: number,
): Promise<SealedTokens | null> {
  const key = mailboxCredentialsKey(workspaceId, id);
  return decodeCredentials(await acquireLease(key, lease, nowMs, { mustExist: true }));
}

/**
 * Releases the lease, with the new tokens of a refresh. False where it is lost, or the mailbox was connected again or
 * disconnected: nothing was written.
 *
 * @param tokens null: they stay as they are
 */
export async function releaseCredentials(
  workspaceId: WorkspaceId,
  id: MailboxId,
  leaseToken: string,
  tokens: SealedTokens | null,
): Promise<boolean> {
  const change = tokens === null ? {} : { set: credentialsCodec.encode(tokens) };
  const key = mailboxCredentialsKey(workspaceId, id);
  return await releaseLease(key, leaseToken, change);
}
