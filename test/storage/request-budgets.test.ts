import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { newId, newToken } from '../../lib/adapters/ids.ts';
import type { WorkspaceId } from '../../lib/core/ids.ts';
import {
  type BudgetRequest,
  type BudgetState,
  halfOf,
  type Lease,
  unusedBudget,
  verdictOn,
} from '../../lib/core/request-budget.ts';
import {
  admitRequest,
  findRequestBudget,
  releaseLeases,
  setBudgetLimits,
} from '../../lib/storage/request-budgets.ts';

const limits = { unitsPerSecond: 10, capacity: 20, inFlight: 12 };
const startMs = 1_000_000;

/** A function that knows the budget as it was when it saw it last. */
interface Client {
  known: BudgetState;
  readonly running: Lease[];
}

const step = fc.record({
  client: fc.integer({ min: 0, max: 3 }),
  afterMs: fc.integer({ min: 0, max: 600 }),
  action: fc.constantFrom('read', 'send', 'provision', 'read of a space', 'end', 'end'),
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
    const result = await admitRequest(workspaceId, client.known, request, lease, nowMs);
    client.known = result.state;
    if (result.isAdmitted) client.running.push(lease);
    if (result.isAdmitted || verdictOn(result.state, request, nowMs).kind !== 'admit') {
      return result.isAdmitted;
    }
  }
}

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
        }));
        const admitted: Admitted[] = [];
        let nowMs = startMs;
        for (const { client: number, afterMs, action } of steps) {
          nowMs += afterMs;
          const client = clients[number];
          const request = requests[action];
          if (!client) continue;
          if (!request) {
            const ended = client.running.shift();
            if (ended) expect(await releaseLeases(workspaceId, [ended])).toBe(true);
          } else if (await ask(workspaceId, client, request, nowMs)) {
            admitted.push({ ...request, at: nowMs });
          }
          const leases = clients.flatMap(({ running }) => running);
          const units = leases.reduce((sum, lease) => sum + lease.units, 0);
          expect(units).toBeLessThanOrEqual(limits.inFlight);
          const state = await findRequestBudget(workspaceId);
          expect(state.workspace.inFlight).toBe(units);
          expect(state.leases).toHaveLength(leases.length);
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
      { numRuns: 15 },
    );
  });

  it('admits exactly the capacity when 200 functions ask at the same time', async () => {
    const workspaceId = newId('wks');
    await setBudgetLimits(workspaceId, { unitsPerSecond: 1, capacity: 50, inFlight: 1000 });
    const answers = await Promise.all(
      Array.from({ length: 200 }, () => {
        const client: Client = { known: unusedBudget(limits), running: [] };
        return ask(workspaceId, client, { units: 1, namesSpace: false }, startMs);
      }),
    );
    expect(answers.filter(Boolean)).toHaveLength(50);
  });
});

describe('releaseLeases', () => {
  it('changes nothing when a lease is gone already', async () => {
    const workspaceId = newId('wks');
    const request = { units: 2, namesSpace: true };
    const lease = { id: 'one', ...request, until: startMs };
    await admitRequest(workspaceId, await findRequestBudget(workspaceId), request, lease, startMs);
    expect(await releaseLeases(workspaceId, [lease])).toBe(true);
    expect(await releaseLeases(workspaceId, [lease])).toBe(false);
    expect(await findRequestBudget(workspaceId)).toMatchObject({
      workspace: { inFlight: 0 },
      spaces: { inFlight: 0 },
      leases: [],
    });
  });
});
