/** API keys: creation, authentication, deletion (docs/concepts/authentication.md). */
import { createHash } from 'node:crypto';
import { now } from '../../adapters/clock.ts';
import { newId, newToken } from '../../adapters/ids.ts';
import type { ApiKey, ApiKeyInput, Caller } from '../../core/api-key.ts';
import type { AuditEntry } from '../../core/audit.ts';
import type { KeyId, WorkspaceId } from '../../core/ids.ts';
import { isInNetworks } from '../../core/ip-networks.ts';
import { limits } from '../../core/limits.ts';
import type { Page, Paging } from '../../core/page.ts';
import { Problem } from '../../core/problems.ts';
import { Recent } from '../../core/recent.ts';
import { logEvent } from '../../observability/log.ts';
import * as store from '../../storage/api-keys.ts';
import { findWorkspaceById, findWorkspaceSecrets } from '../../storage/workspaces.ts';
import { conflict, retryOnConflict } from '../retry-on-conflict.ts';

const hashOf = (token: string): string => createHash('sha256').update(token).digest('hex');

/** Resolution of `last_used_at`: one write per key in this time. */
const useRecordedEveryMs = 15 * 60_000;

/** Characters of the plaintext that listings show. */
const prefixCharacters = 10;

/**
 * The caller of a plaintext key; null for an unknown, deleted or expired key, and for one that is used from an address
 * that it does not allow. One consistent read, so that a deleted key is refused with the next request.
 *
 * @param sourceIp of the request, as API Gateway saw it
 * @returns `recordUse`: records this use of the key; null where none is due. Start it beside the operation and await it
 *   at the end.
 */
export async function authenticate(
  token: string,
  sourceIp: string,
): Promise<{ readonly caller: Caller; readonly recordUse: (() => Promise<void>) | null } | null> {
  const hash = hashOf(token);
  const found = await store.findKeyByHash(hash);
  const isUsable = found !== null && found.deletedAt === null && mayUse(found, sourceIp);
  if (isUsable) seen.set(hash, { ...found, seenAt: now() });
  else seen.delete(hash);
  if (found?.deletedAt) await noteDeletedKey(hash, found);
  if (!isUsable) return null;
  const at = now();
  const isDue = at - found.lastUsedAt >= useRecordedEveryMs;
  return { caller: found.caller, recordUse: isDue ? () => store.recordKeyUse(hash, at) : null };
}

/** Whether the expiry and the addresses of a key admit its use now. */
function mayUse({ expiresAt, allowedIps }: Restrictions, sourceIp: string): boolean {
  if (expiresAt !== null && now() >= expiresAt) return false;
  return allowedIps.length === 0 || isInNetworks(sourceIp, allowedIps);
}

async function noteDeletedKey(hash: string, found: store.FoundKey): Promise<void> {
  const { keyId, workspaceId } = found.caller;
  const workspace = await findWorkspaceById(workspaceId);
  // An erased workspace must leave no audit log.
  if (!workspace || workspace.erasedAt !== null) return;
  const entry: AuditEntry = { at: now(), actor: keyId, action: 'key.used_after_deletion', subject: keyId };
  if (!(await store.noteDeletedKeyUse(hash, found, entry))) return;
  logEvent('api.deleted_key_used', { workspace_id: workspaceId, key_id: keyId });
}

type Restrictions = Pick<store.FoundKey, 'expiresAt' | 'allowedIps'>;

/** A key as this function saw it last. */
interface SeenKey extends Restrictions {
  readonly caller: Caller;
  readonly seenAt: number;
}

/** By the hash of the key. */
const seen = new Recent<string, SeenKey>();

/**
 * An erasure removes the keys of its workspace at once, and waits 15 minutes for those who write
 * (docs/decisions/0047-teardown-of-spaces.md): what begins with a key that is recalled must end before.
 */
const recalledForMs = 10 * 60_000;

/**
 * The caller that a key had when this function saw it last, in the last ten minutes; null where the key cannot be used from the
 * address or has expired. Only `authenticate` knows whether the key still exists.
 *
 * @param sourceIp of the request, as API Gateway saw it
 */
export function recallCaller(token: string, sourceIp: string): Caller | null {
  const key = seen.get(hashOf(token));
  if (!key || now() >= key.seenAt + recalledForMs || !mayUse(key, sourceIp)) return null;
  return key.caller;
}

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
