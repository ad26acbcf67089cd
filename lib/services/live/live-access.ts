/** Whether the key or session that opened a connection still may read events. */
import type { WorkspaceId } from '../../core/ids.ts';
import { parseId } from '../../core/ids.ts';
import type { LiveActor } from '../../core/live/connection.ts';
import { findKey } from '../../storage/workspaces/api-keys.ts';
import { mayUse } from '../api-keys/authenticate.ts';
import { findSessionByHash } from '../console/sessions.ts';

/**
 * Whether it does. Consistent reads, so that a deleted key, an ended session, a removed member and an erased workspace count with
 * the next event.
 *
 * @param sourceIp from where the connection was opened
 */
export async function hasAccess(
  workspaceId: WorkspaceId,
  { actor, sessionHash }: LiveActor,
  sourceIp: string,
): Promise<boolean> {
  const keyId = parseId('key', actor);
  if (keyId) {
    const key = await findKey(workspaceId, keyId);
    return key !== null && mayUse(key, sourceIp);
  }
  if (sessionHash === null) return false;
  return (
    (await findSessionByHash({ workspaceId, email: actor.slice('member:'.length) }, sessionHash)) !== null
  );
}
