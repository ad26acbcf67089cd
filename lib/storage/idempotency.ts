/** Idempotency keys: one item each, forgotten with its email (interface, "Idempotency"). */
import type { EmailId, SpaceId, WorkspaceId } from '../core/ids.ts';
import { idempotencyKey } from './keys.ts';
import { absent, get, type Write } from './table.ts';

/** What a key was used for, or null. */
export async function findIdempotencyKey(
  workspaceId: WorkspaceId,
  spaceId: SpaceId | null,
  key: string,
): Promise<{ emailId: EmailId; hash: string } | null> {
  const item = await get(idempotencyKey(workspaceId, spaceId, key));
  return item && { emailId: item.emailId as EmailId, hash: item.hash as string };
}

/**
 * The write that claims a key, named `idempotency`. Where another request was first, its condition fails with that
 * request's item.
 */
export function claimIdempotencyKey(
  workspaceId: WorkspaceId,
  spaceId: SpaceId | null,
  claim: { key: string; hash: string },
  emailId: EmailId,
): Write {
  return {
    as: 'idempotency',
    put: { ...idempotencyKey(workspaceId, spaceId, claim.key), emailId, hash: claim.hash },
    ...absent,
  };
}
