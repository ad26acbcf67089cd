import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { now } from '../../../lib/adapters/clock.ts';
import { newId, newToken } from '../../../lib/adapters/ids.ts';
import {
  type BudgetRequest,
  type BudgetState,
  halfOf,
  type Lease,
  mayKeepLease,
  unitsOf,
  unusedBudget,
  verdictOn,
  withoutLeases,
} from '../../../lib/core/access/request-budget.ts';
import type { WorkspaceId } from '../../../lib/core/ids.ts';
import { env } from '../../../lib/env.ts';
import { requestBudgetKey } from '../../../lib/storage/table/keys.ts';
import { client } from '../../../lib/storage/table/table-client.ts';
import {
  admitRequest,
  findRequestBudget,
  releaseLeases,
  setBudgetLimits,
} from '../../../lib/storage/workspaces/request-budgets.ts';
import { randomCases } from '../../support/random-cases.ts';

const limits = { unitsPerSecond: 10, capacity: 20, inFlight: 12 };
const startMs = 1_000_000;

/** A function that knows the budget as it was when it saw it last. */
interface Client {
  known: BudgetState;
  readonly running: Lease[];
  /** Leases of requests that have ended, for its next admission. */
  kept: Lease[];
}

const step = fc.record({
  client: fc.integer({ min: 0, max: 3 }),
  afterMs: fc.integer({ min: 0, max: 600 }),
  action: fc.constantFrom('read', 'send', 'provision', 'read of a space', 'end', 'keep', 'keep', 'clean'),
});
const requests: Record<string, BudgetRequest> = {
  read: { units: 1, namesSpace: false },
  send: { units: 2, namesSpace: false },
  provision: { units: 10, namesSpace: false },
  'read of a space': { units: 1, namesSpace: true },
};

interface Admitted extends BudgetRequest {
  readonly at: number;
}

/** Tries until the request is admitted or refused for good, as a function does. */
async function ask(
  workspaceId: WorkspaceId,
  client: Client,
  request: BudgetRequest,
  nowMs: number,
): Promise<boolean> {
  for (;;) {
    const lease = { id: newToken(6), ...request, until: nowMs + 60_000 };
    const ended = client.kept;
    const result = await admitRequest(workspaceId, client.known, request, { lease, ended }, nowMs);
    client.known = result.state;
    if (result.isAdmitted) client.running.push(lease);
    client.kept = result.isAdmitted ? [] : ended.filter(({ id }) => has(result.state, id));
    const rest = withoutLeases(result.state, client.kept);
    if (result.isAdmitted || verdictOn(rest, request, nowMs).kind !== 'admit') {
      return result.isAdmitted;
    }
  }
}

const has = ({ leases }: BudgetState, id: string) => leases.some((lease) => lease.id === id);

/** The most units that start in any window of `windowMs`, which each begin with a request. */
function mostWithin(admitted: readonly Admitted[], windowMs: number): number {
  const sums = admitted.map(({ at: from }) =>
    admitted
      .filter(({ at }) => at >= from && at <= from + windowMs)
      .reduce((sum, { units }) => sum + units, 0),
  );
  return Math.max(0, ...sums);
}

describe('admitRequest', () => {
  it('never admits more than the budget, whichever function asks when and with what it knows', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 20, maxLength: 60 }), async (steps) => {
        const workspaceId = newId('wks');
        await setBudgetLimits(workspaceId, limits);
        const clients: Client[] = Array.from({ length: 4 }, () => ({
          known: unusedBudget(limits),
          running: [],
          kept: [],
        }));
        const admitted: Admitted[] = [];
        let nowMs = startMs;
        for (const { client: number, afterMs, action } of steps) {
          nowMs += afterMs;
          const client = clients[number];
          const request = requests[action];
          if (!client) continue;
          if (action === 'end') {
            const ended = client.running.shift();
            if (ended) expect(await releaseLeases(workspaceId, [ended])).toBe(true);
          } else if (action === 'keep') {
            client.kept.push(...client.running.splice(0, 1));
          } else if (action === 'clean') {
            // Another function removes them as expired; the client does not know.
            const left = (await findRequestBudget(workspaceId)).leases;
            const expired = left.filter(({ id }) => client.kept.some((lease) => lease.id === id));
            if (expired.length > 0) expect(await releaseLeases(workspaceId, expired)).toBe(true);
          } else if (request && (await ask(workspaceId, client, request, nowMs))) {
            admitted.push({ ...request, at: nowMs });
          }
          const state = await findRequestBudget(workspaceId);
          const running = clients.flatMap((of) => of.running);
          expect(running.filter(({ id }) => !has(state, id))).toEqual([]);
          const ended = clients.flatMap(({ kept }) => kept).filter(({ id }) => has(state, id));
          const counted = unitsOf([...running, ...ended]);
          expect(counted.workspace).toBeLessThanOrEqual(limits.inFlight);
          expect(counted.spaces).toBeLessThanOrEqual(halfOf(limits).inFlight);
          expect(state.workspace.inFlight).toBe(counted.workspace);
          expect(state.spaces.inFlight).toBe(counted.spaces);
          expect(state.leases).toHaveLength(running.length + ended.length);
        }
        const half = halfOf(limits);
        const ofSpaces = admitted.filter(({ namesSpace }) => namesSpace);
        for (const windowMs of [0, 500, 3000, 10_000]) {
          const refilled = windowMs / 1000;
          expect(mostWithin(admitted, windowMs)).toBeLessThanOrEqual(
            limits.capacity + refilled * limits.unitsPerSecond,
          );
          expect(mostWithin(ofSpaces, windowMs)).toBeLessThanOrEqual(
            half.capacity + refilled * half.unitsPerSecond,
          );
        }
      }),
      randomCases(5),
    );
  });

  it('admits exactly the capacity when 200 functions ask at the same time', async () => {
    const workspaceId = newId('wks');
    await setBudgetLimits(workspaceId, { unitsPerSecond: 1, capacity: 50, inFlight: 1000 });
    const answers = await Promise.all(
      Array.from({ length: 200 }, () => {
        const client: Client = { known: unusedBudget(limits), running: [], kept: [] };
        return ask(workspaceId, client, { units: 1, namesSpace: false }, startMs);
      }),
    );
    expect(answers.filter(Boolean)).toHaveLength(50);
  });
});

describe('admitRequest with leases of requests that have ended', () => {
  const read = { units: 1, namesSpace: false };
  const ofSpace = { units: 2, namesSpace: true };
  const leaseOf = (request: BudgetRequest): Lease => ({
    id: newToken(6),
    ...request,
    until: startMs + 60_000,
  });

  it('gives their units back in the same update, also those of spaces', async () => {
    const workspaceId = newId('wks');
    const [first, second, third] = [leaseOf(ofSpace), leaseOf(read), leaseOf(ofSpace)];
    let state = await findRequestBudget(workspaceId);
    const next = async (request: BudgetRequest, lease: Lease, ended: readonly Lease[]) => {
      const result = await admitRequest(workspaceId, state, request, { lease, ended }, startMs);
      state = result.state;
      return [result.isAdmitted, state.workspace.inFlight, state.spaces.inFlight, state.leases.length];
    };
    expect(await next(ofSpace, first, [])).toEqual([true, 2, 2, 1]);
    expect(await next(read, second, [first])).toEqual([true, 1, 0, 1]);
    expect(await next(ofSpace, third, [second])).toEqual([true, 2, 2, 1]);
    // The first one is gone: its units are not given back a second time.
    expect(await next(read, leaseOf(read), [third, first])).toEqual([false, 2, 2, 1]);
  });

  it('finds room for a request in place of the one that has ended', async () => {
    const workspaceId = newId('wks');
    await setBudgetLimits(workspaceId, { ...limits, inFlight: 2 });
    const send = { units: 2, namesSpace: false };
    const ended = leaseOf(send);
    const known = await findRequestBudget(workspaceId);
    const { state } = await admitRequest(workspaceId, known, send, { lease: ended }, startMs);
    const ask = (of: readonly Lease[]) =>
      admitRequest(workspaceId, state, send, { lease: leaseOf(send), ended: of }, startMs);
    expect(await ask([])).toMatchObject({ isAdmitted: false, state: { workspace: { inFlight: 2 } } });
    expect(await ask([ended])).toMatchObject({ isAdmitted: true, state: { workspace: { inFlight: 2 } } });
  });

  it('counts a request once when its update is repeated', async () => {
    const workspaceId = newId('wks');
    const [ended, beside, lease] = [leaseOf(read), leaseOf(read), leaseOf(read)];
    let state = await findRequestBudget(workspaceId);
    for (const counted of [ended, beside]) {
      state = (await admitRequest(workspaceId, state, read, { lease: counted }, startMs)).state;
    }
    expect(state.workspace.inFlight).toBe(2);
    for (let times = 0; times < 2; times++) {
      const result = await admitRequest(workspaceId, state, read, { lease, ended: [ended] }, startMs);
      expect([result.isAdmitted, result.state.workspace.inFlight]).toEqual([true, 2]);
    }
  });

  it('costs one write unit when the budget has more leases than those beside which one is kept', async () => {
    const workspaceId = newId('wks');
    await setBudgetLimits(workspaceId, { unitsPerSecond: 12_345.6, capacity: 1_234_567, inFlight: 9999 });
    let state = await findRequestBudget(workspaceId);
    while (mayKeepLease(state, ofSpace)) {
      const lease = { ...leaseOf(ofSpace), until: now() };
      state = (await admitRequest(workspaceId, state, ofSpace, { lease }, now())).state;
    }
    const { ConsumedCapacity } = await client().send(
      new UpdateCommand({
        TableName: env().TABLE_NAME,
        Key: requestBudgetKey(workspaceId),
        UpdateExpression: 'SET inFlight = inFlight',
        ReturnConsumedCapacity: 'TOTAL',
      }),
    );
    expect(ConsumedCapacity?.CapacityUnits).toBe(1);
  });
});

describe('releaseLeases', () => {
  it('changes nothing when a lease is gone already', async () => {
    const workspaceId = newId('wks');
    const request = { units: 2, namesSpace: true };
    const lease = { id: 'one', ...request, until: startMs };
    await admitRequest(workspaceId, await findRequestBudget(workspaceId), request, { lease }, startMs);
    expect(await releaseLeases(workspaceId, [lease])).toBe(true);
    expect(await releaseLeases(workspaceId, [lease])).toBe(false);
    expect(await findRequestBudget(workspaceId)).toMatchObject({
      workspace: { inFlight: 0 },
      spaces: { inFlight: 0 },
      leases: [],
    });
  });
});
