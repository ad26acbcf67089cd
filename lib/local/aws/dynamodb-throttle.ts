/**
 * DynamoDB's limits of throughput: units a second of each partition key and of a table in on-demand mode ("Best practices for designing and
 * using partition keys effectively" and "DynamoDB on-demand capacity mode" in the Amazon DynamoDB Developer Guide).
 *
 * Buckets of one second: what is left lets a call in, which may then take more than is left. Burst and adaptive capacity, which AWS does not
 * promise, are not modelled, and each partition key counts as a partition of its own.
 */
import type { ConsumedUnits, Place, Throttled } from './dynamodb-capacity.ts';
import { failure } from './dynamodb-errors.ts';
import type { AwsResponse } from './service.ts';

export interface CapacityLimits {
  /** Units a second of one partition key, in the table and in each index. */
  readonly partitionWrites: number;
  readonly partitionReads: number;
  /** Units a second of the table, and of each index. */
  readonly tableWrites: number;
  readonly tableReads: number;
}

export type CapacityKind = 'Write' | 'Read';

export interface Throttle {
  /** The first place that has no units left; null: all have. A write waits for the indexes that it changes. */
  refusalOf(kind: CapacityKind, places: readonly Place[]): Throttled | null;
  /** Takes what a call consumed. */
  take(kind: CapacityKind, consumed: readonly ConsumedUnits[]): void;
}

interface Bucket {
  /** Negative after a call that took more than was left. */
  readonly left: number;
  readonly at: number;
}

/** Buckets that are kept before those that are full again are forgotten. */
const bucketsMax = 10_000;

/** null: no limit is finite. @param now Unix milliseconds */
export function createThrottle(limits: CapacityLimits, now: () => number): Throttle | null {
  if (Object.values(limits).every((limit) => limit === Number.POSITIVE_INFINITY)) return null;
  const buckets = new Map<string, Bucket>();

  const idOf = (kind: CapacityKind, { index, partition }: Place) => [kind, index ?? '', partition].join('\n');
  const wholeOf = (kind: CapacityKind, { index }: Place) => `whole\n${kind}\n${index ?? ''}`;
  const partitionRate = (kind: CapacityKind) =>
    kind === 'Write' ? limits.partitionWrites : limits.partitionReads;
  const wholeRate = (kind: CapacityKind) => (kind === 'Write' ? limits.tableWrites : limits.tableReads);

  function leftOf(id: string, rate: number): number {
    const bucket = buckets.get(id);
    return bucket ? Math.min(rate, bucket.left + (rate * (now() - bucket.at)) / 1000) : rate;
  }

  function takeFrom(id: string, rate: number, units: number): void {
    if (rate === Number.POSITIVE_INFINITY) return;
    buckets.set(id, { left: leftOf(id, rate) - units, at: now() });
  }

  function forgetFull(): void {
    for (const [id, { at, left }] of buckets) {
      // Every rate is refilled in a second, a debt in as many as it is large.
      if (left >= 0 && now() - at > 1000) buckets.delete(id);
    }
  }

  return {
    refusalOf(kind, places) {
      for (const place of places) {
        const resource = place.index === null ? 'Table' : 'Index';
        if (leftOf(idOf(kind, place), partitionRate(kind)) <= 0) {
          return { ...place, reason: `${resource}${kind}KeyRangeThroughputExceeded` };
        }
        if (leftOf(wholeOf(kind, place), wholeRate(kind)) <= 0) {
          return { ...place, reason: `${resource}${kind}AccountLimitExceeded` };
        }
      }
      return null;
    },
    take(kind, consumed) {
      for (const one of consumed) {
        takeFrom(idOf(kind, one), partitionRate(kind), one.units);
        takeFrom(wholeOf(kind, one), wholeRate(kind), one.units);
      }
      if (buckets.size > bucketsMax) forgetFull();
    },
  };
}

const message = 'Throughput exceeds the current capacity of your table or index.';

/** The error of a single call. */
export function throttledCall({ index, partition, reason }: Throttled): AwsResponse {
  return failure('ThrottlingException', {
    message,
    throttlingReasons: [{ reason, resource: index ?? partition }],
  });
}

/** The error of a transaction. @param refusals of each item; null: it is not throttled */
export function throttledTransaction(refusals: readonly (Throttled | null)[]): AwsResponse {
  const reasons = refusals.map((one) =>
    one ? { Code: 'ThrottlingError', Message: `${message} ${one.reason}` } : { Code: 'None' },
  );
  const codes = reasons.map(({ Code }) => Code).join(', ');
  return failure('TransactionCanceledException', {
    Message: `Transaction cancelled, please refer cancellation reasons for specific reasons [${codes}]`,
    CancellationReasons: reasons,
  });
}
