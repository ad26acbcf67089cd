/** API keys: creation, lists, deletion (docs/concepts/authentication.md). */
import { now } from '../../adapters/clock.ts';
import { hashOf, newId, newToken } from '../../adapters/ids.ts';
import type { ApiKey, ApiKeyInput } from '../../core/access/api-key.ts';
import type { KeyId, WorkspaceId } from '../../core/ids.ts';
import { limits } from '../../core/limits.ts';
import type { Page, Paging } from '../../core/page.ts';
import { Problem } from '../../core/problems.ts';
import type { AuditEntry } from '../../core/workspaces/audit.ts';
import * as store from '../../storage/workspaces/api-keys.ts';
import { findWorkspaceSecrets } from '../../storage/workspaces/workspaces.ts';
import { conflict, retryOnConflict } from '../retry-on-conflict.ts';

/** Characters of the plaintext that listings show. */
const prefixCharacters = 10;

/**
 * Creates a key of a workspace. `token` is the plaintext, which is stored nowhere.
 *
 * @param actor who creates it
 * @throws Problem invalid_request (expiry in the past), limit_reached, not_found (the workspace)
 */
export async function createKey(
  workspaceId: WorkspaceId,
  input: Pick<ApiKeyInput, 'name' | 'scope'> & Partial<ApiKeyInput>,
  actor: AuditEntry['actor'] = 'operator',
): Promise<{ readonly key: ApiKey; readonly token: string }> {
  const secrets = await findWorkspaceSecrets(workspaceId);
  if (!secrets) throw workspaceMissing();
  const token = `pk_${newToken(32)}`;
  const { name, scope, expiresAt = null, allowedIps = [] } = input;
  const at = now();
  if (expiresAt !== null && expiresAt <= at) {
    throw new Problem('invalid_request', 'expires_at is in the past.', {
      issues: [{ path: 'expires_at', message: 'must be in the future' }],
    });
  }
  const prefix = token.slice(0, prefixCharacters);
  const key = { id: newId('key'), name, scope, prefix, createdAt: at, expiresAt, allowedIps };
  const { cursorSecret } = secrets;
  const audit: AuditEntry = { at, actor, action: 'key.created', subject: key.id };
  const outcome = await store.storeKey(workspaceId, key, { hash: hashOf(token), cursorSecret, audit });
  if (outcome === 'workspace_missing') throw workspaceMissing();
  if (outcome === 'limit_reached') {
    throw new Problem('limit_reached', `A workspace has at most ${limits.apiKeys} API keys.`);
  }
  return { key: { ...key, lastUsedAt: null }, token };
}

const workspaceMissing = () => new Problem('not_found', 'There is no such workspace.');

/** A page of keys, oldest first. */
export async function listKeys(workspaceId: WorkspaceId, paging: Paging): Promise<Page<ApiKey>> {
  return await store.listKeys(workspaceId, paging);
}

/**
 * Deletes a key for good, effective with the next request.
 *
 * @param actor a key cannot delete the last key of scope `full`; the operator can
 * @throws Problem not_found, forbidden
 */
export async function deleteKey(
  workspaceId: WorkspaceId,
  id: KeyId,
  actor: AuditEntry['actor'] = 'operator',
): Promise<void> {
  await retryOnConflict(`API key ${id}`, async () => {
    const key = await store.findKey(workspaceId, id);
    if (!key) throw new Problem('not_found', 'There is no such API key.');
    const remaining =
      actor === 'operator' || key.scope !== 'full' ? null : await otherFullKey(workspaceId, id);
    const audit: AuditEntry = { at: now(), actor, action: 'key.deleted', subject: id };
    return (await store.deleteKey(workspaceId, key, remaining, audit)) ? null : conflict;
  });
}

/** @throws Problem forbidden */
async function otherFullKey(workspaceId: WorkspaceId, id: KeyId): Promise<KeyId> {
  const keys = await store.listAllKeys(workspaceId);
  const other = keys.find(
    (key) => key.id !== id && key.scope === 'full' && (key.expiresAt === null || key.expiresAt > now()),
  );
  if (other) return other.id;
  throw new Problem('forbidden', 'The last key of scope `full` can be deleted by the operator only.');
}
