import { describe, expect, it } from 'vitest';
import type { ConsumedUnits } from '../../../lib/local/aws/dynamodb-capacity.ts';
import {
  type CapacityLimits,
  createThrottle,
  type Throttle,
} from '../../../lib/local/aws/dynamodb-throttle.ts';

const limits: CapacityLimits = { partitionWrites: 10, partitionReads: 30, tableWrites: 40, tableReads: 120 };

function start(changes: Partial<CapacityLimits> = {}): Throttle & { wait(ms: number): void } {
  let now = 0;
  const throttle = createThrottle({ ...limits, ...changes }, () => now);
  if (!throttle) throw new Error('no limit is finite');
  return {
    ...throttle,
    wait(ms) {
      now += ms;
    },
  };
}

function units(partition: string, amount: number, index: string | null = null): ConsumedUnits {
  return { index, partition, sort: '', units: amount };
}

const table = (partition: string) => ({ index: null, partition });

describe('the throttle', () => {
  it('refuses a partition without units, until a second has refilled them', () => {
    const { refusalOf, take, wait } = start();
    take('Write', [units('a', 9)]);
    expect(refusalOf('Write', [table('a')])).toBeNull();
    // A call takes what it needs, also more than is left.
    take('Write', [units('a', 11)]);
    expect(refusalOf('Write', [table('b'), table('a')])).toEqual({
      ...table('a'),
      reason: 'TableWriteKeyRangeThroughputExceeded',
    });
    wait(1000);
    expect(refusalOf('Write', [table('a')])).not.toBeNull();
    wait(1);
    expect(refusalOf('Write', [table('a')])).toBeNull();
  });

  it('has reads, writes and each index apart', () => {
    const { refusalOf, take } = start();
    take('Write', [units('a', 10, 'GSI1')]);
    expect(refusalOf('Write', [table('a')])).toBeNull();
    expect(refusalOf('Read', [{ index: 'GSI1', partition: 'a' }])).toBeNull();
    expect(refusalOf('Write', [table('a'), { index: 'GSI1', partition: 'a' }])?.reason).toBe(
      'IndexWriteKeyRangeThroughputExceeded',
    );
    take('Read', [units('a', 30)]);
    expect(refusalOf('Read', [table('a')])?.reason).toBe('TableReadKeyRangeThroughputExceeded');
  });

  it('refuses every partition of a table without units', () => {
    const { refusalOf, take, wait } = start();
    take(
      'Write',
      ['a', 'b', 'c', 'd', 'e'].map((partition) => units(partition, 8)),
    );
    expect(refusalOf('Write', [table('f')])?.reason).toBe('TableWriteAccountLimitExceeded');
    wait(1);
    expect(refusalOf('Write', [table('f')])).toBeNull();
  });

  it('fills no bucket above a second', () => {
    const { refusalOf, take, wait } = start();
    wait(60_000);
    take('Write', [units('a', 10)]);
    expect(refusalOf('Write', [table('a')])).not.toBeNull();
  });

  it('is none where nothing is limited', () => {
    const unlimited = Object.fromEntries(Object.keys(limits).map((name) => [name, Number.POSITIVE_INFINITY]));
    expect(createThrottle(unlimited as unknown as CapacityLimits, () => 0)).toBeNull();
    const { refusalOf, take } = start({ tableWrites: Number.POSITIVE_INFINITY });
    take('Write', [units('a', 10_000)]);
    expect(refusalOf('Write', [table('b')])).toBeNull();
  });
});
