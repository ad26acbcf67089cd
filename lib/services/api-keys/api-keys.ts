/** API keys: creation, authentication, deletion (docs/concepts/authentication.md). */
import { createHash } from 'node:crypto';
import { now } from '../../adapters/clock.ts';
import { newId, newToken } from '../../adapters/ids.ts';
import type { Scope } from '../../core/access.ts';
import type { ApiKey, Caller } from '../../core/api-key.ts';
import type { KeyId, WorkspaceId } from '../../core/ids.ts';
import type { Page, Paging } from '../../core/page.ts';
import { Problem } from '../../core/problems.ts';
import * as store from '../../storage/api-keys.ts';
import { findWorkspaceSecrets } from '../../storage/workspaces.ts';

const hashOf = (token: string): string => createHash('sha256').update(token).digest('hex');

/** Resolution of `last_used_at`: one write per key in this time. */
const useRecordedEveryMs = 5 * 60_000;

/** Characters of the plaintext that listings show. */
const prefixCharacters = 10;

/**
 * The caller of a plaintext key; null for an unknown or deleted one. One consistent read, so that a deleted key is
 * refused with the next request.
 *
 * @returns `recordUse`: records this use of the key; null where none is due. Start it beside the operation and await it
 *   at the end.
 */
export async function authenticate(
  token: string,
): Promise<{ readonly caller: Caller; readonly recordUse: (() => Promise<void>) | null } | null> {
  const hash = hashOf(token);
  const found = await store.findCaller(hash);
  if (!found) return null;
  const at = now();
  const isDue = at - found.lastUsedAt >= useRecordedEveryMs;
  return { caller: found.caller, recordUse: isDue ? () => store.recordKeyUse(hash, at) : null };
}

/**
 * Creates a key of a workspace. `token` is the plaintext, which is stored nowhere.
 *
 * @throws Error where there is no such workspace
 */
export async function createKey(
  workspaceId: WorkspaceId,
  input: { readonly name: string; readonly scope: Scope },
): Promise<{ readonly key: ApiKey; readonly token: string }> {
  const secrets = await findWorkspaceSecrets(workspaceId);
  if (!secrets) throw new Error(`no workspace ${workspaceId}`);
  const token = `pk_${newToken(32)}`;
  const { name, scope } = input;
  const key = { id: newId('key'), name, scope, prefix: token.slice(0, prefixCharacters), createdAt: now() };
  const { cursorSecret } = secrets;
  await store.storeKey(workspaceId, key, { hash: hashOf(token), cursorSecret });
  return { key: { ...key, lastUsedAt: null }, token };
}

/** A page of keys, oldest first. */
export async function listKeys(workspaceId: WorkspaceId, paging: Paging): Promise<Page<ApiKey>> {
  return await store.listKeys(workspaceId, paging);
}

/** Deletes a key for good, effective with the next request. @throws Problem not_found */
export async function deleteKey(workspaceId: WorkspaceId, id: KeyId): Promise<void> {
  if (!(await store.deleteKey(workspaceId, id))) throw new Problem('not_found', 'There is no such API key.');
}
