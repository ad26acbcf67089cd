/** The budgets of requests as one function sees them: units are taken by a conditional write, and given back. */
import { now } from '../../adapters/clock.ts';
import { newToken } from '../../adapters/ids.ts';
import {
  type BudgetOwner,
  type BudgetRequest,
  type BudgetState,
  expiredLeases,
  figuresOf,
  type Lease,
  leaseMs,
  mayKeepLease,
  OverBudget,
  verdictOn,
  withoutLeases,
} from '../../core/access/request-budget.ts';
import { raisedBy } from '../../core/limits.ts';
import { Recent } from '../../core/work/recent.ts';
import { count } from '../../observability/count.ts';
import { admitRequest, newRequestBudget, releaseLeases } from '../../storage/workspaces/request-budgets.ts';

/** Units that a request has taken. */
export interface Taken {
  readonly owner: BudgetOwner;
  readonly state: BudgetState;
  readonly lease: Lease;
}

/** Conditions that fail because other requests changed the budget meanwhile. */
const triesMax = 10;

export interface Budgets {
  /** The budget as it was seen last. */
  stateOf(owner: BudgetOwner): BudgetState;
  /** Refuses a request from memory where that is certain, without any call. @throws OverBudget */
  refuseSpent(owner: BudgetOwner, request: BudgetRequest): void;
  /** Spends the units of a request, and gives back those of the one before it. @throws OverBudget */
  take(owner: BudgetOwner, request: BudgetRequest): Promise<Taken>;
  /** Ends a request: its lease is kept for the next one, or released with those that expired. */
  end(taken: Taken, request: BudgetRequest): Promise<void>;
}

/** The budgets of one function, which has seen none. */
export function createBudgets(): Budgets {
  /**
   * Budgets as this function saw them last. A spent bucket is refused from here: it refills with time only, whatever
   * others do, so that a flood costs no writes.
   */
  const seen = new Recent<BudgetOwner, BudgetState>();

  /**
   * Leases of requests that have ended, one for each budget: the next request removes them
   * (docs/decisions/0042-request-budget-in-one-item.md#ended-requests). One that is forgotten ends by itself.
   */
  const kept = new Recent<BudgetOwner, Lease>();

  const stateOf = (owner: BudgetOwner): BudgetState => seen.get(owner) ?? newRequestBudget(owner);

  async function take(owner: BudgetOwner, request: BudgetRequest): Promise<Taken> {
    let state = stateOf(owner);
    refuseIfSpent(state, request);
    const last = kept.get(owner);
    let ended = last ? [last] : [];
    // A request beside this one leaves the lease alone.
    kept.delete(owner);
    try {
      for (let tries = 1; tries <= triesMax; tries++) {
        const lease: Lease = { id: newToken(6), ...request, until: now() + leaseMs };
        const result = await admitRequest(owner, state, request, { lease, ended }, now());
        state = result.state;
        seen.set(owner, state);
        if (result.isAdmitted) {
          ended = [];
          return { owner, state, lease };
        }
        refuseIfSpent(state, request);
        // A lease that expired may be gone: another request gave its units back.
        const { leases } = state;
        ended = ended.filter(({ id }) => leases.some((lease) => lease.id === id));
        const rest = withoutLeases(state, ended);
        if (verdictOn(rest, request, now()).kind !== 'in flight') continue;
        const unused = [...ended, ...expiredLeases(rest, now())];
        if (unused.length === 0) break;
        if (await releaseLeases(owner, unused)) ended = [];
      }
    } finally {
      for (const lease of ended) keep(owner, lease);
    }
    count('RequestsOverBudget', null);
    throw new OverBudget(inFlightText(state, request), 1, figuresOf(state, request, now()));
  }

  /** False where a lease is kept already. */
  function keep(owner: BudgetOwner, lease: Lease): boolean {
    if (kept.get(owner)) return false;
    kept.set(owner, lease);
    return true;
  }

  return {
    stateOf,
    take,
    refuseSpent(owner, request) {
      const state = seen.get(owner);
      if (state) refuseIfSpent(state, request);
    },
    async end({ owner, state, lease }, request) {
      if (mayKeepLease(state, request) && keep(owner, lease)) return;
      const expired = expiredLeases(state, now()).filter(({ id }) => id !== lease.id);
      if (expired.length > 0 && (await releaseLeases(owner, [lease, ...expired]))) return;
      await releaseLeases(owner, [lease]);
    },
  };
}

function refuseIfSpent(state: BudgetState, request: BudgetRequest): void {
  const verdict = verdictOn(state, request, now());
  if (verdict.kind !== 'spent') return;
  count('RequestsOverBudget', null);
  throw new OverBudget(
    spentText(state, request),
    (verdict.until - now()) / 1000,
    figuresOf(state, request, now()),
  );
}

const halfText = ({ namesSpace }: BudgetRequest): string =>
  namesSpace ? ' Requests that name a space have half of it.' : '';

function spentText({ limits, isDefault }: BudgetState, request: BudgetRequest): string {
  const { capacity, unitsPerSecond } = limits;
  const options = ['capacity', 'units-per-second'];
  const raised = raisedBy(options, isDefault ? ['budgetCapacity', 'budgetUnitsPerSecond'] : []);
  return `The request budget of the workspace is spent: ${capacity} units, ${unitsPerSecond} more each second.${halfText(request)} ${raised}`;
}

function inFlightText({ limits, isDefault }: BudgetState, request: BudgetRequest): string {
  const raised = raisedBy(['in-flight'], isDefault ? ['budgetInFlight'] : []);
  return `Too many requests of the workspace run at the same time: ${limits.inFlight} units at most.${halfText(request)} ${raised}`;
}
