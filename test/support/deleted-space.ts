/** Deleted spaces, and their teardown without the queue. */
import { expect } from 'vitest';
import { now } from '../../lib/adapters/clock.ts';
import type { EndpointId, SpaceId, WorkspaceId } from '../../lib/core/ids.ts';
import { newTeardown, teardownMessage } from '../../lib/core/teardown.ts';
import { localAdmin } from '../../lib/local/aws/service.ts';
import { createSpace } from '../../lib/services/spaces/spaces.ts';
import { continueTeardown } from '../../lib/services/spaces/teardown-space.ts';
import { createEndpoint } from '../../lib/services/webhooks/endpoints.ts';
import { deleteSpace, findTeardown } from '../../lib/storage/space-teardowns.ts';
import { clearFaults, inject } from '../faults/kit.ts';
import { cloud } from './cloud.ts';
import { fillSpace } from './filled-space.ts';
import { itemsOf, keysOf, objects } from './stored.ts';
import { workspace } from './workspace.ts';

let made = 0;
/** Distinguishes the names of a space. */
export const tag = (): string => `t${now()}-${++made}`;

/** A workspace with an endpoint. */
export async function start() {
  const { id: workspaceId } = await workspace();
  const settings = { url: 'https://hooks.example/', routing: [], enabled: false, maxConcurrency: 1 };
  const subscriptions = ['domain.verified' as const];
  const { endpoint } = await createEndpoint(workspaceId, { ...settings, subscriptions });
  return { workspaceId, endpointId: endpoint.id };
}

/** A filled space that is deleted, without the message that starts the worker. */
export async function deleted(workspaceId: WorkspaceId, endpointId: EndpointId): Promise<SpaceId> {
  const space = await createSpace(workspaceId, { name: 'Acme', externalId: tag() });
  await fillSpace({ workspaceId, endpointId, spaceId: space.id, tag: tag() });
  expect(await deleteSpace(workspaceId, space, newTeardown(space.id, now()), [])).toBe('deleted');
  return space.id;
}

/** Runs the steps of a teardown, those that are due later at once. */
export async function tearDown(workspaceId: WorkspaceId, spaceId: SpaceId): Promise<void> {
  for (;;) {
    const teardown = await findTeardown(workspaceId, spaceId);
    if (!teardown) return;
    await continueTeardown(teardownMessage(workspaceId, teardown));
  }
}

/** Whether a step fails where all AWS calls of this process fail from call `number` on. */
async function isCrashed(workspaceId: WorkspaceId, spaceId: SpaceId, number: number): Promise<boolean> {
  const teardown = await findTeardown(workspaceId, spaceId);
  if (!teardown) return false;
  const error = { kind: 'error', status: 400, code: 'Crash', times: 1_000_000 } as const;
  await inject({ principal: localAdmin, skip: number, ...error });
  try {
    await continueTeardown(teardownMessage(workspaceId, teardown));
    return false;
  } catch {
    return true;
  } finally {
    await clearFaults();
  }
}

/**
 * Lets teardowns of equal spaces crash, each at another AWS call, and continues them. Expects that nothing is left.
 *
 * @param callsApart number of calls between two crashes; 1: a crash at every call
 */
export async function crashAtCalls(callsApart: number): Promise<void> {
  const { workspaceId, endpointId } = await start();
  const [items, files] = [keysOf(await itemsOf(workspaceId)), await objects()];
  // The steps: the domains; the rest of the first pass; the pass that finds nothing.
  for (let steps = 0; steps < 3; steps++) {
    for (let number = 0, isOver = false; !isOver; number += callsApart) {
      const spaceId = await deleted(workspaceId, endpointId);
      for (let step = 0; step < steps; step++) {
        const teardown = await findTeardown(workspaceId, spaceId);
        if (teardown) await continueTeardown(teardownMessage(workspaceId, teardown));
      }
      isOver = !(await isCrashed(workspaceId, spaceId, number));
      await tearDown(workspaceId, spaceId);
    }
  }
  await cloud().waitForQuiescence();
  expect(keysOf(await itemsOf(workspaceId))).toEqual(items);
  expect(await objects()).toEqual(files);
}
