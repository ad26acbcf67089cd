/** Requests that end, in functions that keep their leases (docs/decisions/0042-request-budget-in-one-item.md#ended-requests). */
import { describe, expect, it } from 'vitest';
import { now } from '../../../lib/adapters/clock.ts';
import { newId, newToken } from '../../../lib/adapters/ids.ts';
import {
  type BudgetLimits,
  type BudgetRequest,
  type Lease,
  OverBudget,
} from '../../../lib/core/access/request-budget.ts';
import type { WorkspaceId } from '../../../lib/core/ids.ts';
import { createAdmission, type RequestAdmission } from '../../../lib/services/admission/admit-request.ts';
import {
  admitRequest,
  findRequestBudget,
  releaseLeases,
  setBudgetLimits,
} from '../../../lib/storage/workspaces/request-budgets.ts';
import { ownCalls } from '../../support/calls.ts';

const limits: BudgetLimits = { unitsPerSecond: 1000, capacity: 100_000, inFlight: 16 };
const read: BudgetRequest = { units: 1, namesSpace: false };
const ofSpace: BudgetRequest = { units: 1, namesSpace: true };

async function budgetOf(changes: Partial<BudgetLimits> = {}): Promise<WorkspaceId> {
  const workspaceId = newId('wks');
  await setBudgetLimits(workspaceId, { ...limits, ...changes });
  return workspaceId;
}

/** Functions that have seen no budget. */
const functions = (number: number) => Array.from({ length: number }, createAdmission);

/** A whole request. */
async function serve({ admit }: RequestAdmission, workspaceId: WorkspaceId, request = read): Promise<void> {
  await (await admit(workspaceId, request)).release();
}

async function inFlight(workspaceId: WorkspaceId): Promise<readonly number[]> {
  const { workspace, spaces, leases } = await findRequestBudget(workspaceId);
  return [workspace.inFlight, spaces.inFlight, leases.length];
}

/** Adds the leases of functions that are gone. */
async function leave(workspaceId: WorkspaceId, number: number, until: number): Promise<readonly Lease[]> {
  const leases: Lease[] = [];
  for (let at = 0; at < number; at++) {
    const lease = { id: newToken(6), ...read, until };
    await admitRequest(workspaceId, await findRequestBudget(workspaceId), read, { lease }, now());
    leases.push(lease);
  }
  return leases;
}

describe('a request that ends', () => {
  it('leaves its units in flight to the next request of its function, in one write', async () => {
    const workspaceId = await budgetOf();
    const one = createAdmission();
    await serve(one, workspaceId);
    const calls = await ownCalls(async () => {
      for (let times = 0; times < 5; times++) await serve(one, workspaceId, times % 2 ? read : ofSpace);
    });
    expect(calls).toEqual(Array.from({ length: 5 }, () => 'UpdateItem'));
    expect(await inFlight(workspaceId)).toEqual([1, 1, 1]);
  });

  it('leaves nothing when a quarter of the limit is less than its units', async () => {
    const workspaceId = await budgetOf({ inFlight: 6 });
    const one = createAdmission();
    await serve(one, workspaceId, { units: 2, namesSpace: false });
    expect(await inFlight(workspaceId)).toEqual([0, 0, 0]);
    // Requests that name a space have half of the limit.
    await serve(one, workspaceId, ofSpace);
    expect(await inFlight(workspaceId)).toEqual([0, 0, 0]);
    await serve(one, workspaceId);
    expect(await inFlight(workspaceId)).toEqual([1, 0, 1]);
  });

  it('leaves units of several workspaces', async () => {
    const [first, second] = [await budgetOf(), await budgetOf()];
    const one = createAdmission();
    for (const workspaceId of [first, second, first, second]) await serve(one, workspaceId);
    expect([await inFlight(first), await inFlight(second)]).toEqual([
      [1, 0, 1],
      [1, 0, 1],
    ]);
  });

  it('never leaves more than a quarter with those of other functions, however many end at the same time', async () => {
    const workspaceId = await budgetOf({ inFlight: 64 });
    const all = functions(48);
    for (let round = 0; round < 3; round++) {
      const requests = all.map((of, at) => serve(of, workspaceId, at % 3 ? read : ofSpace));
      await Promise.allSettled(requests);
      const [ended = 0, endedOfSpaces = 0, leases] = await inFlight(workspaceId);
      expect(ended).toBeLessThanOrEqual(16);
      expect(endedOfSpaces).toBeLessThanOrEqual(8);
      expect(leases).toBe(ended);
    }
  });

  it('leaves three quarters to other functions', async () => {
    const workspaceId = await budgetOf();
    for (const idle of functions(4)) await serve(idle, workspaceId);
    expect(await inFlight(workspaceId)).toEqual([4, 0, 4]);
    const running = await Promise.all(functions(12).map(({ admit }) => admit(workspaceId, read)));
    const one = createAdmission();
    await expect(one.admit(workspaceId, read)).rejects.toThrow(OverBudget);
    await Promise.all(running.map(({ release }) => release()));
    expect(await inFlight(workspaceId)).toEqual([4, 0, 4]);
  });

  it('removes the leases of functions that got no other request once these have expired', async () => {
    const workspaceId = await budgetOf();
    await leave(workspaceId, 4, now());
    const one = createAdmission();
    await serve(one, workspaceId);
    expect(await inFlight(workspaceId)).toEqual([0, 0, 0]);
  });
});

describe('a large budget', () => {
  it('counts one request of eight, for eight', async () => {
    const workspaceId = await budgetOf({ unitsPerSecond: 2000, capacity: 20_000, inFlight: 1000 });
    const one = createAdmission();
    // The function learns the limits by its first request.
    await serve(one, workspaceId);
    const writes = await ownCalls(async () => {
      for (let times = 0; times < 400; times++) await serve(one, workspaceId);
    });
    expect(writes.length).toBeGreaterThan(0);
    expect(writes.length).toBeLessThan(200);
    expect(await inFlight(workspaceId)).toEqual([8, 0, 1]);
  });
});

describe('a function that keeps a lease', () => {
  it('is admitted when another function has removed the lease, and gives nothing back twice', async () => {
    const workspaceId = await budgetOf();
    const one = createAdmission();
    await serve(one, workspaceId);
    const running = await leave(workspaceId, 3, now() + 60_000);
    const { leases } = await findRequestBudget(workspaceId);
    const kept = leases.filter(({ id }) => running.every((lease) => lease.id !== id));
    expect(await releaseLeases(workspaceId, kept)).toBe(true);
    const { release } = await one.admit(workspaceId, read);
    expect(await inFlight(workspaceId)).toEqual([4, 0, 4]);
    await release();
    await serve(one, workspaceId);
    expect(await inFlight(workspaceId)).toEqual([4, 0, 4]);
  });

  it('takes its place when the other units are in flight', async () => {
    const workspaceId = await budgetOf();
    const one = createAdmission();
    await serve(one, workspaceId);
    await leave(workspaceId, 15, now() + 60_000);
    const { release } = await one.admit(workspaceId, read);
    expect(await inFlight(workspaceId)).toEqual([16, 0, 16]);
    await release();
    expect(await inFlight(workspaceId)).toEqual([15, 0, 15]);
  });

  it('gives its units back when it is refused because of the units in flight', async () => {
    const workspaceId = await budgetOf();
    const one = createAdmission();
    await serve(one, workspaceId);
    await leave(workspaceId, 15, now() + 60_000);
    await expect(one.admit(workspaceId, { units: 2, namesSpace: false })).rejects.toThrow(OverBudget);
    expect(await inFlight(workspaceId)).toEqual([15, 0, 15]);
  });

  it('has the lease still when a request is refused because the units are spent', async () => {
    const workspaceId = await budgetOf({ unitsPerSecond: 0.001, capacity: 2 });
    const one = createAdmission();
    await serve(one, workspaceId);
    await leave(workspaceId, 1, now() + 60_000);
    await expect(one.admit(workspaceId, read)).rejects.toThrow(OverBudget);
    expect(await inFlight(workspaceId)).toEqual([2, 0, 2]);
  });

  it('never admits more than the limit with other functions, whatever they keep', async () => {
    const workspaceId = await budgetOf();
    const all = functions(40);
    let running = 0;
    let most = 0;
    let refused = 0;
    const work = async ({ admit }: RequestAdmission, number: number) => {
      for (let times = 0; times < 6; times++) {
        const request = { units: 1 + ((number + times) % 3), namesSpace: number % 4 === 0 };
        try {
          const { release } = await admit(workspaceId, request);
          running += request.units;
          most = Math.max(most, running);
          // Others ask while this one runs.
          await findRequestBudget(workspaceId);
          running -= request.units;
          await release();
        } catch (error) {
          if (!(error instanceof OverBudget)) throw error;
          refused += 1;
        }
      }
    };
    await Promise.all(all.map(work));
    expect(most).toBeLessThanOrEqual(limits.inFlight);
    expect(refused).toBeGreaterThan(0);
    const [ended = 0, endedOfSpaces = 0, leases = 0] = await inFlight(workspaceId);
    expect(ended).toBeLessThanOrEqual(4);
    expect(endedOfSpaces).toBeLessThanOrEqual(2);
    expect(leases).toBeLessThanOrEqual(ended);
  });
});
