/** Partitions of the table and its indexes: what a call takes of each, and at which rate the hottest is full. */
import type { ConsumedUnits, RecordedCall } from '../../lib/local/index.ts';

export interface Partition {
  /** `table` or the name of an index. */
  readonly place: string;
  /** Ids replaced by `*`. */
  readonly key: string;
  /** Whether all workspaces share it. */
  readonly shared: boolean;
  /** Units of one email or call. */
  readonly units: number;
}

export interface Consumed extends ConsumedUnits {
  readonly isWrite: boolean;
}

const writes: ReadonlySet<string> = new Set([
  'PutItem',
  'UpdateItem',
  'DeleteItem',
  'BatchWriteItem',
  'TransactWriteItems',
]);

export function consumedBy({ action, consumed = [] }: RecordedCall): Consumed[] {
  return consumed.map((one) => ({ ...one, isWrite: writes.has(action) }));
}

const shownPartitions = 5;

/**
 * The partitions with the most units, by their own keys: those of one email have its units once.
 *
 * @param times number of emails or calls that consumed the units
 */
export function hottestOf(consumed: readonly ConsumedUnits[], times: number): Partition[] {
  const sums = new Map<string, { readonly one: ConsumedUnits; readonly units: number }>();
  for (const one of consumed) {
    const id = `${one.index ?? ''}\n${one.partition}`;
    sums.set(id, { one, units: (sums.get(id)?.units ?? 0) + one.units });
  }
  return [...sums.values()]
    .sort((a, b) => b.units - a.units)
    .slice(0, shownPartitions)
    .map(({ one: { index, partition }, units }) => ({
      place: index ?? 'table',
      key: patternOf(partition),
      shared: !partition.startsWith('W#'),
      units: units / times,
    }));
}

/** A key without its ids: `W#wsp_1#E` is `W#*#E`. Words in capitals stay. */
export function patternOf(key: string): string {
  const withoutIds = (part: string) =>
    part
      .split('#')
      .map((one) => (/^[A-Z][A-Z0-9_]*$/.test(one) ? one : '*'))
      .join('#');
  return key.split(' ').map(withoutIds).join(' ');
}

/** Units a second of one partition ("Best practices for designing and using partition keys effectively" in the Amazon DynamoDB Developer Guide). */
const partitionCeilings = { writes: 1000, reads: 3000 } as const;

/** Emails or calls a second at which a partition is full. */
export function ceilingOf({ units }: Pick<Partition, 'units'>, per: keyof typeof partitionCeilings): number {
  return partitionCeilings[per] / units;
}
