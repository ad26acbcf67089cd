/** The restrictions of keys that other keys create (docs/concepts/authentication.md#api-keys). */
import type { Actor, ApiKeyInput } from '../../core/access/api-key.ts';
import { commonNetworks } from '../../core/access/common-networks.ts';
import { parseId, type WorkspaceId } from '../../core/ids.ts';
import { Problem } from '../../core/problems.ts';
import { findKey } from '../../storage/workspaces/api-keys.ts';

type Restrictions = Pick<ApiKeyInput, 'expiresAt' | 'allowedIps'>;

/**
 * The restrictions that a new key gets: those that are asked for, cut to those of the key that creates it. A key must not outlive
 * its creator, nor be of use elsewhere.
 *
 * @throws Problem invalid_request where they have no network in common (an empty list allows every address), unauthorized where the
 *   creator was deleted meanwhile
 */
export async function inheritedRestrictions(
  workspaceId: WorkspaceId,
  actor: Actor,
  asked: Restrictions,
): Promise<Restrictions> {
  const creatorId = parseId('key', actor);
  // A session ends with the day: a key that its member creates is meant to last.
  if (!creatorId) return asked;
  const creator = await findKey(workspaceId, creatorId);
  if (!creator) {
    throw new Problem('unauthorized', 'The API key was deleted.', {
      headers: { 'www-authenticate': 'Bearer' },
    });
  }
  const ends = [asked.expiresAt, creator.expiresAt].filter((at) => at !== null);
  const expiresAt = ends.length > 0 ? Math.min(...ends) : null;
  if (creator.allowedIps.length === 0 || asked.allowedIps.length === 0) {
    return { expiresAt, allowedIps: [...asked.allowedIps, ...creator.allowedIps] };
  }
  const allowedIps = commonNetworks(asked.allowedIps, creator.allowedIps);
  if (allowedIps.length > 0) return { expiresAt, allowedIps };
  throw new Problem('invalid_request', 'The key that creates this one is not allowed from there.', {
    issues: [
      { path: 'allowed_ips', message: 'must be within allowed_ips of the key that makes the request' },
    ],
  });
}
