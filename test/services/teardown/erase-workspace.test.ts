/** Erasure step by step, without the queue: what is left after a crash at every AWS call, and in the end. */

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { now } from '../../../lib/adapters/clock.ts';
import { newId } from '../../../lib/adapters/ids.ts';
import { newTeardown, teardownMessage } from '../../../lib/core/teardown.ts';
import { createKey } from '../../../lib/services/api-keys/api-keys.ts';
import { continueTeardown } from '../../../lib/services/teardown/continue-teardown.ts';
import { eraseWorkspace } from '../../../lib/services/workspaces/erase-workspace.ts';
import {
  createWorkspace,
  findWorkspace,
  listWorkspaces,
} from '../../../lib/services/workspaces/workspaces.ts';
import { beginErasure, findTeardown } from '../../../lib/storage/teardowns.ts';
import { commit } from '../../../lib/storage/transactions.ts';
import { findWorkspaceById } from '../../../lib/storage/workspaces.ts';
import { clearFaults, inject } from '../../faults/kit.ts';
import { cloud } from '../../support/cloud.ts';
import { crashErasureOften, erased, start, tearDown } from '../../support/deleted-space.ts';
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

  it('leaves nothing when it crashes and is continued', async () => {
    // A crash at every call takes minutes: `teardown-space.long.test.ts`.
    await crashErasureOften(15);
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

  it('continues where it is when it is repeated, also after its message was lost', async () => {
    const { workspaceId } = await start();
    const found = await findWorkspaceById(workspaceId);
    const audit = { at: now(), actor: 'operator', action: 'operator.command', subject: 'x' } as const;
    await beginErasure(workspaceId, newTeardown('workspace', now()), audit, []);
    expect(found?.erasedAt).toBeNull();
    const again = await eraseWorkspace({ id: workspaceId }, 'erase');
    expect(again).toMatchObject({ isNew: false, progress: { step: 1, phase: 'keys' } });
    await cloud().waitForQuiescence();
    // The worker has done the step: the keys, the domains, and waits for those who write.
    expect(await findTeardown(workspaceId, 'workspace')).toMatchObject({ step: 2, phase: 'pacing-rules' });
    await tearDown(workspaceId, 'workspace');
    expect(await eraseWorkspace({ id: workspaceId }, 'erase')).toEqual({ isNew: false, progress: null });
    expect(keysOf(await itemsOf(workspaceId))).toEqual([]);
  });

  it('removes messages that the relay has not sent', async () => {
    const { id } = await workspace();
    await inject({ worker: 'relay', kind: 'error', service: 'sqs', match: id, times: 500 });
    await commit(
      id,
      [],
      [{ message: { kind: 'check-domain', v: 1, workspaceId: id, domainId: newId('dom') } }],
    );
    await cloud().waitForQuiescence();
    await clearFaults();
    await eraseWorkspace({ id }, 'erase');
    await tearDown(id, 'workspace');
    await cloud().waitForQuiescence();
    expect(keysOf(await itemsOf(id))).toEqual([]);
  });

  it('leaves nothing when its message arrives twice at the same time', async () => {
    const workspaceId = await erased();
    for (;;) {
      const teardown = await findTeardown(workspaceId, 'workspace');
      if (!teardown) break;
      const message = teardownMessage(workspaceId, teardown);
      await Promise.all([continueTeardown(message), continueTeardown(message)]);
    }
    await cloud().waitForQuiescence();
    expect(keysOf(await itemsOf(workspaceId))).toEqual([]);
  });
});
