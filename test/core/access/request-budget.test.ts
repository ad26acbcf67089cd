import { describe, expect, it } from 'vitest';
import {
  type BudgetState,
  countedOneOf,
  defaultBudget,
  expiredLeases,
  figuresOf,
  halfOf,
  mayKeepLease,
  platformCount,
  unitsOf,
  unusedBudget,
  verdictOn,
  withoutLeases,
} from '../../../lib/core/access/request-budget.ts';

const nowMs = 1_000_000;
const read = { units: 1, namesSpace: false };
const readOfSpace = { units: 1, namesSpace: true };
const unused = unusedBudget(defaultBudget);

/** A budget of which `units` are spent. */
const spent = (units: number, inFlight = 0): BudgetState => ({
  ...unused,
  workspace: { fullAt: nowMs + units * 20, inFlight },
});

describe('verdictOn', () => {
  it('admits the last unit of the capacity and refuses the one after it until a unit is refilled', () => {
    expect(verdictOn(spent(499), read, nowMs)).toEqual({ kind: 'admit' });
    expect(verdictOn(spent(500), read, nowMs)).toEqual({ kind: 'spent', until: nowMs + 20 });
    expect(verdictOn(spent(500), { units: 10, namesSpace: false }, nowMs)).toEqual({
      kind: 'spent',
      until: nowMs + 200,
    });
  });

  it('admits requests up to the units in flight', () => {
    expect(verdictOn(spent(0, 31), read, nowMs)).toEqual({ kind: 'admit' });
    expect(verdictOn(spent(0, 32), read, nowMs)).toEqual({ kind: 'in flight' });
    expect(verdictOn(spent(0, 23), { units: 10, namesSpace: false }, nowMs)).toEqual({ kind: 'in flight' });
  });

  it('admits a request above the whole budget when nothing is spent', () => {
    const small = unusedBudget({ unitsPerSecond: 1, capacity: 5, inFlight: 4 });
    expect(verdictOn(small, { units: 10, namesSpace: false }, nowMs)).toEqual({ kind: 'admit' });
  });

  it('holds requests that name a space to half of each limit', () => {
    expect(halfOf(defaultBudget)).toEqual({ unitsPerSecond: 25, capacity: 250, inFlight: 16 });
    const half: BudgetState = { ...unused, spaces: { fullAt: nowMs + 10_000, inFlight: 0 } };
    expect(verdictOn(half, readOfSpace, nowMs)).toEqual({ kind: 'spent', until: nowMs + 40 });
    expect(verdictOn(half, read, nowMs)).toEqual({ kind: 'admit' });
    const running: BudgetState = { ...unused, spaces: { fullAt: 0, inFlight: 16 } };
    expect(verdictOn(running, readOfSpace, nowMs)).toEqual({ kind: 'in flight' });
  });
});

describe('figuresOf', () => {
  it('shows what is left and when the budget is full', () => {
    expect(figuresOf(spent(120), read, nowMs)).toEqual({ limit: 500, remaining: 380, resetSeconds: 3 });
    expect(figuresOf(unused, read, nowMs)).toEqual({ limit: 500, remaining: 500, resetSeconds: 0 });
  });

  it('shows the bucket with least left when the request names a space', () => {
    expect(figuresOf(unused, readOfSpace, nowMs)).toMatchObject({ limit: 250, remaining: 250 });
    expect(figuresOf(spent(400), readOfSpace, nowMs)).toMatchObject({ limit: 500, remaining: 100 });
  });
});

describe('countedOneOf', () => {
  it('counts every request of a budget that one partition takes', () => {
    expect(countedOneOf({ unitsPerSecond: 50, capacity: 500, inFlight: 32 })).toBe(1);
    expect(countedOneOf({ unitsPerSecond: 499, capacity: 9999, inFlight: 999 })).toBe(1);
    expect(countedOneOf({ unitsPerSecond: 9999, capacity: 9999, inFlight: 127 })).toBe(1);
  });

  it('counts one of eight at most', () => {
    expect(countedOneOf({ unitsPerSecond: 500, capacity: 9999, inFlight: 999 })).toBe(2);
    expect(countedOneOf({ unitsPerSecond: 1e9, capacity: 1e9, inFlight: 1e9 })).toBe(8);
  });
});

describe('platformCount', () => {
  it('counts every request of a small deployment and one of eight of a large one, for all', () => {
    expect(platformCount(5)).toMatchObject({ weight: 1, shards: 1, limits: { inFlight: 5 } });
    expect(platformCount(500)).toMatchObject({ weight: 7, shards: 4, limits: { inFlight: 125 } });
    expect(platformCount(5000)).toMatchObject({ weight: 8, shards: 4, limits: { inFlight: 1250 } });
  });
});

describe('expiredLeases', () => {
  it('finds the leases of requests that never ended', () => {
    const lease = (id: string, until: number) => ({ id, units: 1, namesSpace: false, until });
    const leases = [lease('gone', nowMs), lease('runs', nowMs + 1)];
    expect(expiredLeases({ ...unused, leases }, nowMs).map(({ id }) => id)).toEqual(['gone']);
  });

  it('finds as many as one update removes', () => {
    const leases = Array.from({ length: 100 }, (_, at) => ({ id: `${at}`, ...read, until: nowMs }));
    expect(expiredLeases({ ...unused, leases }, nowMs)).toHaveLength(20);
  });
});

describe('mayKeepLease', () => {
  const leases = (number: number) =>
    Array.from({ length: number }, (_, at) => ({ id: `${at}`, ...readOfSpace, until: nowMs }));
  /** A budget with units in flight, after the admission of the last of them. */
  const running = (all: number, ofSpaces: number, number = 1): BudgetState => ({
    ...unused,
    workspace: { fullAt: 0, inFlight: all },
    spaces: { fullAt: 0, inFlight: ofSpaces },
    leases: leases(number),
  });

  it('holds up to a quarter of the units in flight', () => {
    expect(mayKeepLease(running(8, 0), read)).toBe(true);
    expect(mayKeepLease(running(9, 0), read)).toBe(false);
  });

  it('holds up to a quarter of the half of requests that name a space', () => {
    expect(mayKeepLease(running(8, 4), readOfSpace)).toBe(true);
    expect(mayKeepLease(running(8, 5), readOfSpace)).toBe(false);
    expect(mayKeepLease(running(8, 5), read)).toBe(true);
  });

  it('holds up to 12 leases', () => {
    const large = { ...running(12, 0, 12), limits: { ...defaultBudget, inFlight: 1000 } };
    expect(mayKeepLease(large, read)).toBe(true);
    expect(mayKeepLease({ ...large, leases: leases(13) }, read)).toBe(false);
  });
});

describe('withoutLeases', () => {
  it('gives back the units of the leases in each bucket', () => {
    const [first, second] = [
      { id: 'one', ...readOfSpace, until: nowMs },
      { id: 'two', units: 2, namesSpace: false, until: nowMs },
    ];
    const state: BudgetState = {
      ...unused,
      workspace: { fullAt: 1, inFlight: 5 },
      spaces: { fullAt: 2, inFlight: 3 },
      leases: [first, second],
    };
    expect(unitsOf([first, second])).toEqual({ workspace: 3, spaces: 1 });
    expect(withoutLeases(state, [first])).toEqual({
      ...state,
      workspace: { fullAt: 1, inFlight: 4 },
      spaces: { fullAt: 2, inFlight: 2 },
      leases: [second],
    });
  });
});
