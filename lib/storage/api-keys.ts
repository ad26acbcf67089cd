/** API keys: stored as hashes, found by hash, listed by workspace. */
import { createHash, timingSafeEqual } from 'node:crypto';
import { now } from '../adapters/clock.ts';
import { newId, newToken } from '../adapters/ids.ts';
import type { Scope } from '../core/access.ts';
import type { KeyId, WorkspaceId } from '../core/ids.ts';
import { apiKeyKey, apiKeys, keyHashKey, workspaceKey } from './keys.ts';
import { listPage, type Page } from './paging.ts';
import { absent, get, getMany, type Item, ifUnchanged, present, transact, updateIf } from './table.ts';

export interface ApiKey {
  readonly id: KeyId;
  readonly name: string;
  readonly scope: Scope;
  /** The first characters of the plaintext, to tell keys apart. */
  readonly prefix: string;
  readonly createdAt: number;
  readonly lastUsedAt: number | null;
}

/** Who calls: what the look-up of a key answers. */
export interface Caller {
  readonly workspaceId: WorkspaceId;
  readonly keyId: KeyId;
  readonly scope: Scope;
  /** Authenticates the cursors handed to this workspace. */
  readonly cursorSecret: string;
}

const hashOf = (token: string): string => createHash('sha256').update(token).digest('hex');

/** Finer than this, `last_used_at` is not kept: one write per key and five minutes. */
const useNotedEveryMs = 5 * 60_000;

/**
 * The caller a token stands for, or null. One consistent read, so that a deleted key is refused at once.
 * `noteUse` is the pending note of this use where one is due: start it beside the work, await it at the end.
 */
export async function authenticate(
  token: string,
): Promise<{ caller: Caller; noteUse: (() => Promise<void>) | null } | null> {
  const hash = hashOf(token);
  const item = await get(keyHashKey(hash));
  if (!item || !timingSafeEqual(Buffer.from(String(item.hash)), Buffer.from(hash))) return null;
  const caller: Caller = {
    workspaceId: item.workspaceId as WorkspaceId,
    keyId: item.keyId as KeyId,
    scope: item.scope as Scope,
    cursorSecret: item.cursorSecret as string,
  };
  const at = now();
  const due = at - Number(item.lastUsedAt ?? 0) >= useNotedEveryMs;
  return { caller, noteUse: due ? () => noteUse(hash, at) : null };
}

async function noteUse(hash: string, at: number): Promise<void> {
  // Where the key was deleted while its last request ran, there is nothing to note.
  await updateIf(keyHashKey(hash), {
    UpdateExpression: 'SET lastUsedAt = :at',
    ...present,
    ExpressionAttributeValues: { ':at': at },
  });
}

/**
 * Makes a key of an existing workspace. `token` is the plaintext, which is kept nowhere.
 *
 * @throws Error when there is no such workspace
 */
export async function createKey(
  workspaceId: WorkspaceId,
  input: { name: string; scope: Scope },
): Promise<{ key: ApiKey; token: string }> {
  const workspace = await get(workspaceKey(workspaceId));
  if (!workspace) throw new Error(`no workspace ${workspaceId}`);
  const token = `pk_${newToken(32)}`;
  const hash = hashOf(token);
  const id = newId('key');
  const createdAt = now();
  const prefix = token.slice(0, 10);
  await transact([
    {
      as: 'hash',
      put: {
        ...keyHashKey(hash),
        hash,
        workspaceId,
        keyId: id,
        scope: input.scope,
        cursorSecret: workspace.cursorSecret,
      },
      ...absent,
    },
    { as: 'key', put: { ...apiKeyKey(workspaceId, id), ...input, prefix, createdAt, hash } },
  ]);
  return { key: { id, ...input, prefix, createdAt, lastUsedAt: null }, token };
}

/** A page of keys, oldest first. */
export async function listKeys(
  workspaceId: WorkspaceId,
  paging: { limit: number; after: string | null },
): Promise<Page<ApiKey>> {
  const page = await listPage({ pk: apiKeys(workspaceId), order: 'oldest first', ...paging });
  const uses = await getMany(page.items.map((item) => keyHashKey(String(item.hash))));
  return { items: page.items.map((item, at) => apiKey(item, uses[at] ?? null)), next: page.next };
}

function apiKey(item: Item, use: Item | null): ApiKey {
  return {
    id: item.sk as KeyId,
    name: item.name as string,
    scope: item.scope as Scope,
    prefix: item.prefix as string,
    createdAt: item.createdAt as number,
    lastUsedAt: (use?.lastUsedAt as number | undefined) ?? null,
  };
}

/** Deletes a key for good, effective with the next request. False where there is none. */
export async function deleteKey(workspaceId: WorkspaceId, id: KeyId): Promise<boolean> {
  const item = await get(apiKeyKey(workspaceId, id));
  if (!item) return false;
  return await ifUnchanged([
    { as: 'key', delete: apiKeyKey(workspaceId, id), ...present },
    { as: 'hash', delete: keyHashKey(String(item.hash)) },
  ]);
}
