/** Authentication by API keys (docs/concepts/authentication.md). Apart from the rest of keys, as every request loads it. */
import { now } from '../../adapters/clock.ts';
import { hashOf } from '../../adapters/ids.ts';
import type { Caller } from '../../core/access/api-key.ts';
import { isInNetworks } from '../../core/access/ip-networks.ts';
import { Recent } from '../../core/work/recent.ts';
import type { AuditEntry } from '../../core/workspaces/audit.ts';
import { logEvent } from '../../observability/log.ts';
import * as store from '../../storage/workspaces/key-hashes.ts';
import { findWorkspaceById } from '../../storage/workspaces/workspaces.ts';

/** Resolution of `last_used_at`: one write per key in this time. */
const useRecordedEveryMs = 15 * 60_000;

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
export function mayUse({ expiresAt, allowedIps }: Restrictions, sourceIp: string): boolean {
  if (expiresAt !== null && now() >= expiresAt) return false;
  return allowedIps.length === 0 || isInNetworks(sourceIp, allowedIps);
}

async function noteDeletedKey(hash: string, found: store.FoundKey): Promise<void> {
  const { keyId } = found;
  const { workspaceId } = found.caller;
  const workspace = await findWorkspaceById(workspaceId);
  // An erased workspace must leave no audit log.
  if (!workspace || workspace.erasedAt !== null) return;
  const entry: AuditEntry = { at: now(), actor: keyId, action: 'key.used_after_deletion', subject: keyId };
  const { noteDeletedKeyUse } = await import('../../storage/workspaces/api-keys.ts');
  if (!(await noteDeletedKeyUse(hash, found, entry))) return;
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
