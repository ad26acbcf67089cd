/** Idempotency keys: one item each, deleted with its email (docs/concepts/idempotency.md). */
import type { EmailId, SpaceId, WorkspaceId } from '../../core/ids.ts';
import { codec, id, text } from '../table/codec.ts';
import { idempotencyKey } from '../table/keys.ts';
import { get } from '../table/reads.ts';
import { absent, type Write } from '../table/transactions.ts';

/** The email that a key created, and the hash of the request. */
export interface UsedKey {
  readonly emailId: EmailId;
  readonly hash: string;
}

const usedKeyCodec = codec<UsedKey>('idempotency key', { emailId: id('eml'), hash: text });

/** The use of a key, or null. */
export async function findIdempotencyKey(
  workspaceId: WorkspaceId,
  spaceId: SpaceId | null,
  key: string,
): Promise<UsedKey | null> {
  const item = await get(idempotencyKey(workspaceId, spaceId, key));
  return item && usedKeyCodec.decode(item);
}

/** The write that claims a key, named `idempotency`. Its condition fails where another request has used the key. */
export function claimIdempotencyKey(
  workspaceId: WorkspaceId,
  spaceId: SpaceId | null,
  key: string,
  use: UsedKey,
): Write {
  return {
    as: 'idempotency',
    put: { ...idempotencyKey(workspaceId, spaceId, key), ...usedKeyCodec.encode(use) },
    ...absent,
  };
}
