/** Teardown and erasure that crash, and whose messages are lost, repeated or late. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { now } from '../../../lib/adapters/clock.ts';
import { newId } from '../../../lib/adapters/ids.ts';
import { newTeardown, teardownMessage } from '../../../lib/core/workspaces/teardown.ts';
import { continueTeardown } from '../../../lib/services/teardown/continue-teardown.ts';
import { eraseWorkspace } from '../../../lib/services/workspaces/erase-workspace.ts';
import { findCounts } from '../../../lib/storage/table/counters.ts';
import { commit } from '../../../lib/storage/table/transactions.ts';
import { beginErasure, findTeardown } from '../../../lib/storage/teardown/teardowns.ts';
import { findWorkspaceById } from '../../../lib/storage/workspaces/workspaces.ts';
import { clearFaults, inject } from '../../faults/kit.ts';
import { cloud } from '../../support/cloud.ts';
import {
  crashErasureOften,
  crashTeardownOften,
  deleted,
  erased,
  keysOfContent,
  start,
  tearDown,
} from '../../support/deleted-space.ts';
import { captureLog } from '../../support/log-lines.ts';
import { itemsOf, keysOf } from '../../support/stored.ts';
import { workspace } from '../../support/workspace.ts';

beforeEach(() => void captureLog());
afterEach(clearFaults);

describe('a teardown', () => {
  it('leaves nothing when it crashes and is continued', async () => {
    // A crash after every write takes half a minute: `teardown-space.long.test.ts`.
    await crashTeardownOften(4);
  });

  it('ignores a message of another step, and a message of a teardown that is done', async () => {
    const { workspaceId, endpointId } = await start();
    const spaceId = await deleted(workspaceId, endpointId);
    const teardown = newTeardown(spaceId, now());
    const before = keysOf(await itemsOf(workspaceId));
    await continueTeardown(teardownMessage(workspaceId, { ...teardown, step: 2 }));
    expect(keysOf(await itemsOf(workspaceId))).toEqual(before);
    await tearDown(workspaceId, spaceId);
    await cloud().waitForQuiescence();
    const after = keysOf(await itemsOf(workspaceId));
    await continueTeardown(teardownMessage(workspaceId, teardown));
    expect(keysOf(await itemsOf(workspaceId))).toEqual(after);
  });

  it('leaves nothing when its message arrives twice at the same time', async () => {
    const { workspaceId, endpointId } = await start();
    const items = await keysOfContent(workspaceId);
    const spaceId = await deleted(workspaceId, endpointId);
    for (;;) {
      const teardown = await findTeardown(workspaceId, spaceId);
      if (!teardown) break;
      const message = teardownMessage(workspaceId, teardown);
      await Promise.all([continueTeardown(message), continueTeardown(message)]);
    }
    await cloud().waitForQuiescence();
    expect(await keysOfContent(workspaceId)).toEqual(items);
    // Its only suppression was counted, and is taken from the count once.
    expect(await findCounts(workspaceId, ['suppressions'])).toEqual([0]);
  });
});

describe('an erasure', () => {
  it('leaves nothing when it crashes and is continued', async () => {
    // A crash after every write takes minutes: `teardown-space.long.test.ts`.
    await crashErasureOften(15);
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
