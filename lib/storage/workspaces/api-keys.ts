/** API keys: stored as hashes, found by hash, listed by workspace. */
import type { ApiKey } from '../../core/access/api-key.ts';
import type { KeyId, WorkspaceId } from '../../core/ids.ts';
import { limits } from '../../core/limits.ts';
import type { Page, Paging } from '../../core/page.ts';
import type { AuditEntry } from '../../core/workspaces/audit.ts';
import {
  codec,
  id,
  named,
  nullable,
  number,
  secondsAsMs,
  sortKey,
  sparseList,
  text,
} from '../table/codec.ts';
import { countCreated, countDeleted } from '../table/counters.ts';
import { expressionsOf } from '../table/expressions.ts';
import { apiKeyKey, apiKeys, keyHashKey, workspaceKey } from '../table/keys.ts';
import { listPage } from '../table/paging.ts';
import { get, getMany } from '../table/reads.ts';
import { queryAll } from '../table/table.ts';
import { absent, ConditionFailed, commit, commitIfUnchanged, present } from '../table/transactions.ts';
import { addAuditEntry } from './audit.ts';
import { type FoundKey, hashCodec, type KeyHash, scopeField } from './key-hashes.ts';

type StoredKey = Omit<ApiKey, 'lastUsedAt'> & { readonly hash: string };

const keyCodec = codec<StoredKey>('api key', {
  id: sortKey(id('key')),
  name: text,
  scope: scopeField,
  prefix: text,
  createdAt: number,
  expiresAt: named('validUntil', nullable(number)),
  allowedIps: sparseList(text),
  hash: text,
});

const lastUseCodec = codec<{ readonly lastUsedAt: number | null }>('api key hash', {
  lastUsedAt: nullable(number),
});

/** Stores a key; its plaintext is stored nowhere. Nothing is written unless the outcome is `stored`. */
export async function storeKey(
  workspaceId: WorkspaceId,
  key: Omit<ApiKey, 'lastUsedAt'>,
  of: { readonly hash: string; readonly cursorSecret: string; readonly audit: AuditEntry },
): Promise<'stored' | 'limit_reached' | 'workspace_missing'> {
  const { cursorSecret, hash, audit } = of;
  const { id: keyId, scope, expiresAt, allowedIps } = key;
  const global: KeyHash = {
    ...{ hash, workspaceId, keyId, scope, cursorSecret, expiresAt, allowedIps },
    lastUsedAt: 0,
    deletedAt: null,
  };
  try {
    await commit(workspaceId, [
      countCreated(workspaceId, 'api-keys', limits.apiKeys),
      { as: 'hash', put: { ...keyHashKey(hash), ...hashCodec.encode(global) }, ...absent },
      { as: 'key', put: { ...apiKeyKey(workspaceId, keyId), ...keyCodec.encode({ ...key, hash }) } },
      // The erasure of a workspace removes its keys once: none may follow.
      {
        as: 'workspace',
        check: workspaceKey(workspaceId),
        ...expressionsOf({}, { exists: true, absent: ['erasedAt'] }),
      },
      addAuditEntry(workspaceId, audit),
    ]);
    return 'stored';
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error;
    return error.write === 'workspace' ? 'workspace_missing' : 'limit_reached';
  }
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

/** A key of the workspace, or null. */
export async function findKey(workspaceId: WorkspaceId, id: KeyId): Promise<StoredKey | null> {
  const item = await get(apiKeyKey(workspaceId, id));
  return item && keyCodec.decode(item);
}

/** Every key of a workspace; their number is limited. */
export async function listAllKeys(workspaceId: WorkspaceId): Promise<StoredKey[]> {
  return (await queryAll(apiKeys(workspaceId))).map(keyCodec.decode);
}

/** How long the use of a deleted key is noticed. */
const noticedMs = 90 * 86_400_000;

/**
 * Deletes a key for good, effective with the next request. False where it or `remaining` is gone: nothing was written.
 *
 * @param remaining another key that must exist; null: none
 */
export async function deleteKey(
  workspaceId: WorkspaceId,
  { id, hash }: StoredKey,
  remaining: KeyId | null,
  audit: AuditEntry,
): Promise<boolean> {
  const deleted = { deletedAt: audit.at, expiresAt: secondsAsMs.write(audit.at + noticedMs) };
  return await commitIfUnchanged(workspaceId, [
    countDeleted(workspaceId, 'api-keys'),
    { as: 'key', delete: apiKeyKey(workspaceId, id), ...present },
    { as: 'hash', update: keyHashKey(hash), ...expressionsOf({ set: deleted }, { exists: true }) },
    ...(remaining ? [{ as: 'remaining', check: apiKeyKey(workspaceId, remaining), ...present }] : []),
    addAuditEntry(workspaceId, audit, hash),
  ]);
}

/** How often the use of a deleted key is recorded. */
const noticedEveryMs = 3_600_000;

/** Records the use of a deleted key, once an hour. True where it was recorded. */
export async function noteDeletedKeyUse(hash: string, found: FoundKey, audit: AuditEntry): Promise<boolean> {
  if (audit.at - found.lastUsedAt < noticedEveryMs) return false;
  const change = expressionsOf(
    { set: { lastUsedAt: audit.at } },
    { equal: { lastUsedAt: found.lastUsedAt } },
  );
  return await commitIfUnchanged(found.caller.workspaceId, [
    { as: 'hash', update: keyHashKey(hash), ...change },
    addAuditEntry(found.caller.workspaceId, audit),
  ]);
}
