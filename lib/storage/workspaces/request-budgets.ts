/** Request budgets, one item for each workspace, changed by single conditional updates. */

import {
  type Bucket,
  type BudgetLimits,
  type BudgetOwner,
  type BudgetRequest,
  type BudgetState,
  bucketsOf,
  inFlightBeside,
  type Lease,
  type LimitedBucket,
  platformCount,
  unitsOf,
  unusedBudget,
} from '../../core/access/request-budget.ts';
import { parseId, type WorkspaceId } from '../../core/ids.ts';
import { env } from '../../env.ts';
import { codec, flag, nullable, number, object, withDefault } from '../table/codec.ts';
import { expressionsOf } from '../table/expressions.ts';
import { requestBudgetKey } from '../table/keys.ts';
import { increase, newParts, requireSame, spend, type UpdateParts, updateOf } from '../table/rate-buckets.ts';
import { get } from '../table/reads.ts';
import { type Item, update, updateOr } from '../table/table.ts';

const noBucket: Bucket = { fullAt: 0, inFlight: 0 };
const limitsField = object<BudgetLimits>({ unitsPerSecond: number, capacity: number, inFlight: number });

interface Stored {
  readonly limits: BudgetLimits | null;
  readonly fullAt: number;
  readonly inFlight: number;
  readonly spacesFullAt: number;
  readonly spacesInFlight: number;
}

const budgetCodec = codec<Stored>('request budget', {
  limits: nullable(limitsField),
  fullAt: withDefault(number, noBucket.fullAt),
  inFlight: withDefault(number, noBucket.inFlight),
  spacesFullAt: withDefault(number, noBucket.fullAt),
  spacesInFlight: withDefault(number, noBucket.inFlight),
});
/** Each lease is an attribute of its own, so that updates of different leases do not meet. */
const leasePrefix = 'lease_';
const leaseField = object<Omit<Lease, 'id'>>({ units: number, namesSpace: flag, until: number });

const attributesOf = {
  workspace: { fullAt: 'fullAt', inFlight: 'inFlight' },
  spaces: { fullAt: 'spacesFullAt', inFlight: 'spacesInFlight' },
} as const;

function defaultsOf(owner: BudgetOwner): BudgetLimits {
  const { REQUEST_BUDGET, REQUEST_CEILING } = env();
  return parseId('wks', owner) ? REQUEST_BUDGET : platformCount(REQUEST_CEILING).limits;
}

function decode(owner: BudgetOwner, item: Item | null): BudgetState {
  const defaults = defaultsOf(owner);
  if (!item) return unusedBudget(defaults);
  const { limits, fullAt, inFlight, spacesFullAt, spacesInFlight } = budgetCodec.decode(item);
  const leases = Object.entries(item)
    .filter(([attribute]) => attribute.startsWith(leasePrefix))
    .map(([attribute, stored]) => ({
      id: attribute.slice(leasePrefix.length),
      ...leaseField.read(stored),
    }));
  return {
    limits: limits ?? defaults,
    isDefault: limits === null,
    workspace: { fullAt, inFlight },
    spaces: { fullAt: spacesFullAt, inFlight: spacesInFlight },
    leases,
  };
}

/** A budget as it is spent. */
export async function findRequestBudget(owner: BudgetOwner): Promise<BudgetState> {
  return decode(owner, await get(requestBudgetKey(owner)));
}

/** A budget of which nothing is spent, with the limits of the deployment. */
export function newRequestBudget(owner: BudgetOwner): BudgetState {
  return unusedBudget(defaultsOf(owner));
}

/** Sets the limits of a workspace's budget; null: the default. */
export async function setBudgetLimits(workspaceId: WorkspaceId, limits: BudgetLimits | null): Promise<void> {
  await update(
    requestBudgetKey(workspaceId),
    expressionsOf(limits ? { set: { limits: limitsField.write(limits) } } : { remove: ['limits'] }),
  );
}

/**
 * Spends the units of a request, adds its lease, and removes leases of requests that have ended.
 *
 * The update is exact under concurrency: where `known` is out of date, its condition fails or still holds for the item as it
 * is, and it never decides by what was read. An update that is repeated, because its answer was lost, counts once.
 *
 * @param known the state as last seen; it selects the form of the update
 * @param ended leases that the update removes with their units in flight; where one of them is gone, the condition fails
 * @returns the state after the admission, or as it is where the condition failed
 */
export async function admitRequest(
  owner: BudgetOwner,
  known: BudgetState,
  request: BudgetRequest,
  { lease, ended = [] }: { readonly lease: Lease; readonly ended?: readonly Lease[] },
  nowMs: number,
): Promise<{ readonly isAdmitted: boolean; readonly state: BudgetState }> {
  const { id, ...fields } = lease;
  const parts = newParts();
  parts.set.push('#lease = :lease');
  parts.require.push('attribute_not_exists(#lease)');
  parts.names['#lease'] = `${leasePrefix}${id}`;
  parts.values[':lease'] = leaseField.write(fields);
  requireSame(parts, 'limits', known.isDefault ? undefined : limitsField.write(known.limits));
  const given = unitsOf(ended);
  for (const limited of bucketsOf(known, request)) {
    addBucket(parts, limited, { units: request.units, given: given[limited.name], nowMs });
  }
  removeLeases(parts, ended);
  if (!request.namesSpace && given.spaces > 0) increase(parts, attributesOf.spaces.inFlight, -given.spaces);
  const { isDone, item } = await updateOr(requestBudgetKey(owner), updateOf(parts));
  const state = decode(owner, item);
  return { isAdmitted: isDone || state.leases.some((counted) => counted.id === id), state };
}

/** @param given units in flight of leases that the same update removes */
function addBucket(
  parts: UpdateParts,
  { name, bucket, limits }: LimitedBucket,
  { units, given, nowMs }: { readonly units: number; readonly given: number; readonly nowMs: number },
): void {
  const { fullAt, inFlight } = attributesOf[name];
  spend(parts, fullAt, bucket.fullAt, { rate: limits, units, nowMs });
  parts.require.push(`(attribute_not_exists(#${inFlight}) OR #${inFlight} <= :${inFlight}_beside)`);
  parts.values[`:${inFlight}_beside`] = inFlightBeside(limits, units) + given;
  increase(parts, inFlight, units - given);
}

/** Removes leases, on condition that all of them exist: the units of each are given back once. */
function removeLeases({ remove, require, names }: UpdateParts, leases: readonly Lease[]): void {
  for (const [at, { id }] of leases.entries()) {
    names[`#ended${at}`] = `${leasePrefix}${id}`;
    remove.push(`#ended${at}`);
    require.push(`attribute_exists(#ended${at})`);
  }
}

/** Removes leases with their units in flight. False where one of them is gone already: nothing was written. */
export async function releaseLeases(owner: BudgetOwner, leases: readonly Lease[]): Promise<boolean> {
  const parts = newParts();
  const { workspace, spaces } = unitsOf(leases);
  increase(parts, attributesOf.workspace.inFlight, -workspace);
  if (spaces > 0) increase(parts, attributesOf.spaces.inFlight, -spaces);
  removeLeases(parts, leases);
  return (await updateOr(requestBudgetKey(owner), updateOf(parts))).isDone;
}
