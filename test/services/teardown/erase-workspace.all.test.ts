/** Erasure step by step, without the queue: what is left in the end; after crashes: `teardown-order.all.test.ts`. */

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createKey } from '../../../lib/services/api-keys/api-keys.ts';
import { eraseWorkspace } from '../../../lib/services/workspaces/erase-workspace.ts';
import {
  createWorkspace,
  findWorkspace,
  listWorkspaces,
} from '../../../lib/services/workspaces/workspaces.ts';
import { clearFaults } from '../../faults/kit.ts';
import { cloud } from '../../support/cloud.ts';
import { erased, start, tearDown } from '../../support/deleted-space.ts';
import { captureLog } from '../../support/log-lines.ts';
import { itemsOf, keysOf, objects } from '../../support/stored.ts';
import { workspace } from '../../support/workspace.ts';

beforeEach(() => void captureLog());
afterEach(clearFaults);

describe('an erasure', () => {
  it('removes everything of its workspace, in the table and in the buckets, and nothing of others', async () => {
    const { workspaceId: other } = await start();
    const [items, files] = [keysOf(await itemsOf(other)), await objects()];
    const workspaceId = await erased();
    expect((await itemsOf(workspaceId)).length).toBeGreaterThan(90);
    expect((await objects()).length).toBeGreaterThan(files.length + 10);
    await tearDown(workspaceId, 'workspace');
    await cloud().waitForQuiescence();
    expect(keysOf(await itemsOf(workspaceId))).toEqual([]);
    expect(await objects()).toEqual(files);
    expect(keysOf(await itemsOf(other))).toEqual(items);
    expect((await listWorkspaces()).map(({ id }) => id)).not.toContain(workspaceId);
  });

  it('frees the slug at its end, not before', async () => {
    const { id, slug } = await workspace();
    await eraseWorkspace({ id }, 'erase');
    await expect(createWorkspace({ slug, name: slug })).rejects.toThrow(/is held by another workspace/);
    await tearDown(id, 'workspace');
    expect(await findWorkspace(slug)).toBeNull();
    await createWorkspace({ slug, name: slug });
  });

  it('removes the keys before it answers, and lets none be created from then on', async () => {
    const { id } = await workspace();
    const creations = Array.from({ length: 20 }, (_, at) => createKey(id, { name: `k${at}`, scope: 'read' }));
    const [outcome, ...created] = await Promise.allSettled([eraseWorkspace({ id }, 'erase'), ...creations]);
    expect(outcome.status).toBe('fulfilled');
    for (const one of created) {
      if (one.status === 'rejected') expect(String(one.reason)).toMatch(/There is no such workspace/);
    }
    const left = keysOf(await itemsOf(id)).filter((key) => /^KEYHASH#|#KEYS /.test(key));
    expect(left).toEqual([]);
    await expect(createKey(id, { name: 'late', scope: 'read' })).rejects.toThrow(
      /There is no such workspace/,
    );
    await tearDown(id, 'workspace');
  });
});
