/** Deletion of a space: nothing in it is found any more, and its teardown begins (docs/concepts/spaces.md#deletion). */
import { now } from '../../adapters/clock.ts';
import type { SpaceId, WorkspaceId } from '../../core/ids.ts';
import { Problem } from '../../core/problems.ts';
import type { AuditEntry } from '../../core/workspaces/audit.ts';
import { newTeardown, teardownMessage } from '../../core/workspaces/teardown.ts';
import { count } from '../../observability/count.ts';
import { findSendingGuard, raisePacingVersion } from '../../storage/sending/sending-guards.ts';
import * as store from '../../storage/teardown/teardowns.ts';
import { paceMailMessage } from '../pacing/pace-mail-message.ts';
import { conflict, retryOnConflict } from '../retry-on-conflict.ts';
import { getSpace } from '../spaces/spaces.ts';

/** @param actor the key of the request @throws Problem not_found, limit_reached */
export async function deleteSpace(
  workspaceId: WorkspaceId,
  id: SpaceId,
  actor: AuditEntry['actor'],
): Promise<void> {
  await retryOnConflict(`space ${id}`, async () => {
    const space = await getSpace(workspaceId, id);
    const teardown = newTeardown(id, now());
    const message = teardownMessage(workspaceId, teardown);
    const audit = { at: now(), actor, action: 'space.deleted', subject: id } as const;
    const { pacingVersion } = await findSendingGuard(workspaceId);
    const isPaced = pacingVersion > 0;
    const outcome = await store.deleteSpace(
      workspaceId,
      space,
      teardown,
      audit,
      [{ message }, ...(isPaced ? [{ message: paceMailMessage(workspaceId) }] : [])],
      // The rules of the space are gone, and so is what they hold.
      isPaced ? [raisePacingVersion(workspaceId)] : [],
    );
    if (outcome === 'limit_reached') {
      throw new Problem(
        'limit_reached',
        `${store.teardownsMax} deleted spaces of the workspace are being removed; this takes about half an hour each.`,
      );
    }
    return outcome === 'deleted' ? undefined : conflict;
  });
  count('SpacesDeleted', workspaceId);
}
