/** Metering of DynamoDB calls: consumed capacity units by item and index entry, and evaluated items. */
import { createInspection, type Forward } from './dynamodb-inspection.ts';
import type { ItemKey } from './dynamodb-keys.ts';
import { meteredQuery, meteredReads } from './dynamodb-metered-reads.ts';
import type { MeteringParts } from './dynamodb-metered-response.ts';
import { meteredWrite } from './dynamodb-metered-writes.ts';
import { operationOf } from './dynamodb-operations.ts';
import type { Throttle } from './dynamodb-throttle.ts';
import type { AwsCall, AwsResponse } from './service.ts';

export interface Metering {
  /** Runs a call and adds what it consumed to the response. @param keys of the items that it writes */
  handle(call: AwsCall, keys: readonly ItemKey[]): Promise<AwsResponse>;
}

/**
 * @param forward sends a call with another body to the table engine
 * @param throttle limits of throughput; null: none
 */
export function createMetering(forward: Forward, throttle: Throttle | null = null): Metering {
  const parts: MeteringParts = { forward, inspection: createInspection(forward), throttle };
  return {
    async handle(call, keys) {
      if (keys.length > 0) return await meteredWrite(parts, call, keys);
      const operation = operationOf(call);
      const isQuery = operation === 'Query' || operation === 'Scan';
      return await (isQuery ? meteredQuery(parts, call) : meteredReads(parts, call));
    },
  };
}
