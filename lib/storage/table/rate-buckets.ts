/** Spending of buckets by a conditional update, exact under concurrency (docs/decisions/0042-request-budget-in-one-item.md). */
import { latestFullAt, type Rate, refillMs } from '../../core/access/rate-bucket.ts';
import type { UpdateInput } from './table.ts';

/** Parts of an update expression, to which several functions add. */
export interface UpdateParts {
  readonly set: string[];
  readonly remove: string[];
  readonly require: string[];
  readonly names: Record<string, string>;
  readonly values: Record<string, unknown>;
}

export const newParts = (): UpdateParts => ({ set: [], remove: [], require: [], names: {}, values: {} });

/**
 * Adds the spending of a bucket. Where the bucket is not as it is known to be, the condition fails or still holds for the
 * bucket as it is.
 *
 * @param attribute holds the time at which the bucket is full
 * @param known that time as last seen; it selects the form of the update
 */
export function spend(
  { set, require, names, values }: UpdateParts,
  attribute: string,
  known: number,
  { rate, units, nowMs }: { readonly rate: Rate; readonly units: number; readonly nowMs: number },
): void {
  const name = `#${attribute}`;
  const value = (key: string, of: number) => {
    values[`:${attribute}_${key}`] = of;
    return `:${attribute}_${key}`;
  };
  names[name] = attribute;
  const now = value('now', nowMs);
  if (known < nowMs) {
    require.push(`(attribute_not_exists(${name}) OR ${name} < ${now})`);
    set.push(`${name} = ${value('next', nowMs + refillMs(rate, units))}`);
  } else {
    require.push(`${name} BETWEEN ${now} AND ${value('latest', latestFullAt(rate, units, nowMs))}`);
    set.push(`${name} = ${name} + ${value('spent', refillMs(rate, units))}`);
  }
}

/** Adds a condition that an attribute is as it is known to be; undefined: absent. */
export function requireSame(
  { require, names, values }: UpdateParts,
  attribute: string,
  known: unknown,
): void {
  names[`#${attribute}`] = attribute;
  if (known === undefined) {
    require.push(`attribute_not_exists(#${attribute})`);
    return;
  }
  require.push(`#${attribute} = :${attribute}_known`);
  values[`:${attribute}_known`] = known;
}

/** Adds `amount` to a number that may be absent. */
export function increase({ set, names, values }: UpdateParts, attribute: string, amount: number): void {
  names[`#${attribute}`] = attribute;
  values[':none'] = 0;
  values[`:${attribute}_more`] = amount;
  set.push(`#${attribute} = if_not_exists(#${attribute}, :none) + :${attribute}_more`);
}

export function updateOf({ set, remove, require, names, values }: UpdateParts): UpdateInput {
  return {
    UpdateExpression: [
      ...(set.length > 0 ? [`SET ${set.join(', ')}`] : []),
      ...(remove.length > 0 ? [`REMOVE ${remove.join(', ')}`] : []),
    ].join(' '),
    ...(require.length > 0 && { ConditionExpression: require.join(' AND ') }),
    ExpressionAttributeNames: names,
    ExpressionAttributeValues: values,
  };
}
