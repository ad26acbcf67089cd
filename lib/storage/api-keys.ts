/** API keys: stored as hashes, found by hash, listed by workspace. */
import { timingSafeEqual } from 'node:crypto';
import { scopes } from '../core/access.ts';
import type { ApiKey, Caller } from '../core/api-key.ts';
import type { KeyId, WorkspaceId } from '../core/ids.ts';
import type { Page, Paging } from '../core/page.ts';
import { codec, id, nullable, number, oneOf, sortKey, text, withDefault } from './codec.ts';
import { expressionsOf } from './expressions.ts';
import { apiKeyKey, apiKeys, keyHashKey } from './keys.ts';
import { listPage } from './paging.ts';
import { get, getMany, updateIf } from './table.ts';
import { absent, commit, commitIfUnchanged, present } from './transactions.ts';

/** The global item of a key, found by the hash of its plaintext. */
interface KeyHash extends Caller {
  readonly hash: string;
  /** Unix milliseconds; 0: never used. */
  readonly lastUsedAt: number;
}

const hashCodec = codec<KeyHash>('api key hash', {
  hash: text,
  workspaceId: id('wks'),
  keyId: id('key'),
  scope: oneOf(scopes),
  cursorSecret: text,
  lastUsedAt: withDefault(number, 0),
});

type StoredKey = Omit<ApiKey, 'lastUsedAt'> & { readonly hash: string };

const keyCodec = codec<StoredKey>('api key', {
  id: sortKey(id('key')),
  name: text,
  scope: oneOf(scopes),
  prefix: text,
  createdAt: number,
  hash: text,
});

const lastUseCodec = codec<{ readonly lastUsedAt: number | null }>('api key hash', {
  lastUsedAt: nullable(number),
});

/** The caller of a key, by the hash of its plaintext; null for an unknown or deleted key. One consistent read. */
export async function findCaller(
  hash: string,
): Promise<{ readonly caller: Caller; readonly lastUsedAt: number } | null> {
  const item = await get(keyHashKey(hash));
  if (!item) return null;
  const { hash: stored, lastUsedAt, ...caller } = hashCodec.decode(item);
  if (!timingSafeEqual(Buffer.from(stored), Buffer.from(hash))) return null;
  return { caller, lastUsedAt };
}

/** Records the last use of a key; does nothing where the key was deleted meanwhile. */
export async function recordKeyUse(hash: string, atMs: number): Promise<void> {
  await updateIf(keyHashKey(hash), expressionsOf({ set: { lastUsedAt: atMs } }, { exists: true }));
}

/** Stores a key. Its plaintext is stored nowhere. */
export async function storeKey(
  workspaceId: WorkspaceId,
  key: Omit<ApiKey, 'lastUsedAt'>,
  of: { readonly hash: string; readonly cursorSecret: string },
): Promise<void> {
  const { cursorSecret, hash } = of;
  const global = { hash, workspaceId, keyId: key.id, scope: key.scope, cursorSecret };
  await commit(workspaceId, [
    {
      as: 'hash',
      put: { ...keyHashKey(hash), ...hashCodec.encode({ ...global, lastUsedAt: 0 }) },
      ...absent,
    },
    { as: 'key', put: { ...apiKeyKey(workspaceId, key.id), ...keyCodec.encode({ ...key, hash }) } },
  ]);
}

/** A page of keys, oldest first. */
export async function listKeys(workspaceId: WorkspaceId, paging: Paging): Promise<Page<ApiKey>> {
  const page = await listPage({ pk: apiKeys(workspaceId), order: 'oldest first', ...paging });
  const keys = page.items.map(keyCodec.decode);
  const uses = await getMany(keys.map(({ hash }) => keyHashKey(hash)));
  const items = keys.map(({ hash: _, ...key }, index) => {
    const use = uses[index];
    const lastUsedAt = use ? lastUseCodec.decode(use).lastUsedAt : null;
    return { ...key, lastUsedAt: lastUsedAt || null };
  });
  return { items, next: page.next };
}

/** Replaces the cursor secret in the items of a workspace's keys, one page of keys. */
export async function replaceCursorSecret(
  workspaceId: WorkspaceId,
  cursorSecret: string,
  paging: Paging,
): Promise<{ readonly listed: number; readonly next: string | null }> {
  const page = await listPage({ pk: apiKeys(workspaceId), order: 'oldest first', ...paging });
  const change = expressionsOf({ set: { cursorSecret } }, { exists: true });
  await Promise.all(page.items.map((item) => updateIf(keyHashKey(keyCodec.decode(item).hash), change)));
  return { listed: page.items.length, next: page.next };
}

/** Deletes a key for good, effective with the next request. False where there is none. */
export async function deleteKey(workspaceId: WorkspaceId, id: KeyId): Promise<boolean> {
  const item = await get(apiKeyKey(workspaceId, id));
  if (!item) return false;
  return await commitIfUnchanged(workspaceId, [
    { as: 'key', delete: apiKeyKey(workspaceId, id), ...present },
    { as: 'hash', delete: keyHashKey(keyCodec.decode(item).hash) },
  ]);
}
