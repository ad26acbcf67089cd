/** Deleted spaces and erased workspaces, and their teardown without the queue. */
import { expect } from 'vitest';
import { now } from '../../lib/adapters/clock.ts';
import type { EndpointId, SpaceId, WorkspaceId } from '../../lib/core/ids.ts';
import { newTeardown, type TeardownScope, teardownMessage } from '../../lib/core/workspaces/teardown.ts';
import { localAdmin } from '../../lib/local/aws/service.ts';
import { createSpace } from '../../lib/services/spaces/spaces.ts';
import { continueTeardown } from '../../lib/services/teardown/continue-teardown.ts';
import { createEndpoint } from '../../lib/services/webhooks/endpoints.ts';
import { beginErasure, deleteSpace, findTeardown } from '../../lib/storage/teardown/teardowns.ts';
import { inject, removeFault } from '../faults/kit.ts';
import { ownCallsInOrder } from './calls.ts';
import { cloud } from './cloud.ts';
import { fillSpace } from './filled-space.ts';
import { fillWorkspace } from './owned-by-workspace.ts';
import { itemsOf, keysOf, objects, putBack, stateOf, takeSnapshot } from './stored.ts';
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

/** The audit entry of a deletion by the operator. */
export const deletionOf = (spaceId: SpaceId) =>
  ({ at: now(), actor: 'operator', action: 'space.deleted', subject: spaceId }) as const;

/** A filled space that is deleted, without the message that starts the worker. */
export async function deleted(workspaceId: WorkspaceId, endpointId: EndpointId): Promise<SpaceId> {
  const space = await createSpace(workspaceId, { name: 'Acme', externalId: tag() });
  await fillSpace({ workspaceId, endpointId, spaceId: space.id, tag: tag() });
  expect(await deleteSpace(workspaceId, space, newTeardown(space.id, now()), deletionOf(space.id), [])).toBe(
    'deleted',
  );
  return space.id;
}

/** Runs the steps of a teardown, those that are due later at once. */
export async function tearDown(workspaceId: WorkspaceId, scope: TeardownScope): Promise<void> {
  for (;;) {
    const teardown = await findTeardown(workspaceId, scope);
    if (!teardown) return;
    await continueTeardown(teardownMessage(workspaceId, teardown));
  }
}

/** Whether a step fails where all AWS calls of this process fail from call `number` on. */
async function isCrashed(workspaceId: WorkspaceId, scope: TeardownScope, number: number): Promise<boolean> {
  const teardown = await findTeardown(workspaceId, scope);
  if (!teardown) return false;
  const error = { kind: 'error', status: 400, code: 'Crash', times: 1_000_000 } as const;
  const fault = await inject({ principal: localAdmin, skip: number, ...error });
  try {
    await continueTeardown(teardownMessage(workspaceId, teardown));
    return false;
  } catch {
    return true;
  } finally {
    await removeFault(fault);
  }
}

/**
 * Lets one teardown crash again and again, each time later in its step, and continues it where it was.
 *
 * @param callsApart further AWS calls that a step makes before it crashes the next time
 * @returns the number of crashes
 */
async function crashOften(
  workspaceId: WorkspaceId,
  scope: TeardownScope,
  callsApart: number,
): Promise<number> {
  let crashes = 0;
  for (let number = 0; await findTeardown(workspaceId, scope); ) {
    if (await isCrashed(workspaceId, scope, number)) {
      crashes += 1;
      number += callsApart;
    } else number = 0;
  }
  return crashes;
}

/**
 * Lets each step of a teardown crash after each of its writes, from the same stored state, and continues it to its end. A crash at
 * a call that only reads leaves what the crash before it does. What follows depends on what is stored then: a state that an
 * earlier crash has left is not continued again.
 *
 * @param expectEnd expects that nothing is left
 * @returns the number of crashes
 */
async function crashAtEveryCall(
  workspaceId: WorkspaceId,
  scope: TeardownScope,
  { files, expectEnd }: { readonly files: readonly string[]; readonly expectEnd: () => Promise<void> },
): Promise<number> {
  // Where a step takes long on a busy machine, its next message is sent at once.
  const held = { worker: 'run-task', kind: 'error', service: 'dynamodb', match: workspaceId } as const;
  const hold = await inject({ ...held, times: 1_000_000 });
  let crashes = 0;
  for (;;) {
    const teardown = await findTeardown(workspaceId, scope);
    if (!teardown) break;
    const step = () => continueTeardown(teardownMessage(workspaceId, teardown));
    const before = await takeSnapshot(workspaceId, files);
    const calls = await ownCallsInOrder(step);
    const continued = new Set<string>();
    for (const number of [0, ...afterWrites(calls)]) {
      await putBack(before);
      if (!(await isCrashed(workspaceId, scope, number))) continue;
      crashes += 1;
      const state = await stateOf(workspaceId);
      if (continued.has(state)) continue;
      continued.add(state);
      await tearDown(workspaceId, scope);
      await expectEnd();
    }
    await putBack(before);
    await step();
  }
  await removeFault(hold);
  await expectEnd();
  return crashes;
}

/** The numbers of the calls that follow a write. */
const afterWrites = (calls: readonly string[]): number[] =>
  calls.flatMap((action, at) =>
    /^(?:Get|BatchGet|TransactGet|List|Query|Head)/.test(action) ? [] : [at + 1],
  );

/** Expects that a teardown of a space leaves nothing when it crashes often. */
export async function crashTeardownOften(callsApart: number): Promise<void> {
  const { workspaceId, endpointId } = await start();
  const [items, files] = [await keysOfContent(workspaceId), await objects()];
  const spaceId = await deleted(workspaceId, endpointId);
  expect(await crashOften(workspaceId, spaceId, callsApart)).toBeGreaterThan(10);
  await cloud().waitForQuiescence();
  expect(await keysOfContent(workspaceId)).toEqual(items);
  expect(await objects()).toEqual(files);
}

/** Lets the teardown of a space crash at every AWS call, and continues it. Expects that nothing is left. */
export async function crashTeardownAtEveryCall(): Promise<void> {
  const { workspaceId, endpointId } = await start();
  const [items, files] = [await keysOfContent(workspaceId), await objects()];
  const expectEnd = async () => {
    expect(await keysOfContent(workspaceId)).toEqual(items);
    expect(await objects()).toEqual(files);
  };
  const spaceId = await deleted(workspaceId, endpointId);
  await cloud().waitForQuiescence();
  expect(await crashAtEveryCall(workspaceId, spaceId, { files, expectEnd })).toBeGreaterThan(30);
  await cloud().waitForQuiescence();
  await expectEnd();
}

/** The audit log, the counters and the usage of a workspace outlive its spaces, and messages of changes expire. */
export async function keysOfContent(workspaceId: WorkspaceId): Promise<string[]> {
  return keysOf(await itemsOf(workspaceId)).filter((key) => !/#AUDIT | COUNT#|#USAGE |#OUT /.test(key));
}

/** A workspace with everything that may be stored for one, without the message that starts its erasure. */
export async function erased(): Promise<WorkspaceId> {
  const { workspaceId, endpointId } = await start();
  const space = await createSpace(workspaceId, { name: 'Acme', externalId: tag() });
  await Promise.all(
    [null, space.id].map((spaceId) => fillSpace({ workspaceId, endpointId, spaceId, tag: tag() })),
  );
  await deleted(workspaceId, endpointId);
  await fillWorkspace(workspaceId, endpointId);
  const audit = { at: now(), actor: 'operator', action: 'operator.command', subject: 'erase' } as const;
  expect(await beginErasure(workspaceId, newTeardown('workspace', now()), audit, [])).toBe(true);
  return workspaceId;
}

/** As `crashTeardownOften`, of a workspace. */
export async function crashErasureOften(callsApart: number): Promise<void> {
  const files = await objects();
  const workspaceId = await erased();
  expect(await crashOften(workspaceId, 'workspace', callsApart)).toBeGreaterThan(10);
  await cloud().waitForQuiescence();
  expect(keysOf(await itemsOf(workspaceId))).toEqual([]);
  expect(await objects()).toEqual(files);
}

/** As `crashTeardownAtEveryCall`, of a workspace. */
export async function crashErasureAtEveryCall(): Promise<void> {
  const files = await objects();
  const workspaceId = await erased();
  const expectEnd = async () => {
    expect(keysOf(await itemsOf(workspaceId))).toEqual([]);
    expect(await objects()).toEqual(files);
  };
  await cloud().waitForQuiescence();
  expect(await crashAtEveryCall(workspaceId, 'workspace', { files, expectEnd })).toBeGreaterThan(100);
  await cloud().waitForQuiescence();
  await expectEnd();
}
