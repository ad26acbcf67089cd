/** Responses with capacity units, and what they are made with. */
import type { ConsumedUnits } from './dynamodb-capacity.ts';
import type { Forward, Inspection } from './dynamodb-inspection.ts';
import type { Throttle } from './dynamodb-throttle.ts';
import type { AwsResponse } from './service.ts';

export interface MeteringParts {
  readonly forward: Forward;
  readonly inspection: Inspection;
  /** Limits of throughput; null: none. */
  readonly throttle: Throttle | null;
}

export function withUnits(response: AwsResponse, consumed: readonly ConsumedUnits[]): AwsResponse {
  return { ...response, capacity: consumed.reduce((sum, { units }) => sum + units, 0), consumed };
}
