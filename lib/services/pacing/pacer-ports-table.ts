/** The ports of the pacer in a deployment: the table. */
import { now, pause } from '../../adapters/clock.ts';
import type { WorkspaceId } from '../../core/ids.ts';
import type { TreeStore } from '../../core/pacing/tree-store.ts';
import { count } from '../../observability/count.ts';
import { findArrivals, findHeld, listHeld, listInbox } from '../../storage/pacing/held-emails.ts';
import { pacerStore, saveTreeProgress } from '../../storage/pacing/pacer-states.ts';
import { loadRules } from '../../storage/pacing/pacing-rules.ts';
import { removeTree, treeStore } from '../../storage/pacing/pacing-tree.ts';
import { findDeletedSpaces, isDeleted } from '../../storage/workspaces/deleted-spaces.ts';
import { paceMailMessage } from './pace-mail-message.ts';
import type { InboxEntry, PacerPorts } from './pacer-ports.ts';

export const pacerPorts = (workspaceId: WorkspaceId): PacerPorts => ({
  job: pacerStore(workspaceId, (timer) => paceMailMessage(workspaceId, timer)),
  now,
  pause,
  saveTree: (token, progress) => saveTreeProgress(workspaceId, token, progress),
  rules: () => loadRules(workspaceId),
  deletedSpaces: async () => {
    const deleted = await findDeletedSpaces(workspaceId);
    return (spaceId) => isDeleted(deleted, spaceId);
  },
  store: (version, token) => countingStore(workspaceId, version, token),
  listInbox: async (limit) => {
    const entries = await listInbox(workspaceId, limit);
    return entries.flatMap(({ key, position, left }): InboxEntry[] => {
      if (position !== null) return [{ key, kind: 'held', position }];
      return left ? [{ key, kind: 'left', ...left }] : [];
    });
  },
  findArrivals: (positions) => findArrivals(workspaceId, positions),
  findHeld: (positions) => findHeld(workspaceId, positions),
  listHeld: async (after, limit) => (await listHeld(workspaceId, after, limit)).items,
  removeTree: (version) => removeTree(workspaceId, version),
});

/** The tree, which counts what leaves. */
function countingStore(workspaceId: WorkspaceId, version: number, token: string): TreeStore {
  const store = treeStore(workspaceId, version, token);
  return {
    ...store,
    async commit(changes) {
      const outcome = await store.commit(changes);
      if (outcome === 'done') for (const _ of changes.released) count('EmailsPaced', workspaceId);
      return outcome;
    },
  };
}
