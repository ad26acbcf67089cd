import { describe, expect, it } from 'vitest';
import {
  consumedByRead,
  consumedByWrite,
  type Image,
  type IndexShape,
  sizeOf,
} from '../../../lib/local/aws/dynamodb-capacity.ts';

const whole: IndexShape = { name: 'GSI1', keys: ['g1pk', 'g1sk'], projected: null };
const keysOnly: IndexShape = {
  name: 'GSI2',
  keys: ['g2pk', 'g2sk'],
  projected: ['pk', 'sk', 'g2pk', 'g2sk'],
};
const shape = { keys: ['pk', 'sk'], indexes: [whole, keysOnly], expiry: 'expiresAt' };
const key = image(0);

function image(bytes: number, keys: Record<string, string> = {}): Image {
  const names = { pk: 'a', sk: 'b', ...keys };
  return {
    text: { S: 'x'.repeat(bytes) },
    ...Object.fromEntries(Object.entries(names).map(([name, S]) => [name, { S }])),
  };
}

const places = { g1pk: 'p', g1sk: '1', g2pk: 'q', g2sk: '1' };

function transactedUnits(before: Image | null, after: Image | null): number {
  const consumed = consumedByWrite({ key, before, after, transacted: true }, shape);
  return consumed.reduce((sum, { units }) => sum + units, 0);
}

describe('a transacted write', () => {
  it('charges two units per started kilobyte of the larger image', () => {
    expect(transactedUnits(null, image(100))).toBe(2);
    expect(transactedUnits(null, image(1500))).toBe(4);
    expect(transactedUnits(image(2500), image(100))).toBe(6);
    expect(transactedUnits(image(2500), null)).toBe(6);
  });

  it('charges two units for a missing item', () => {
    expect(transactedUnits(null, null)).toBe(2);
  });

  it('charges one unit per started kilobyte of an index entry', () => {
    expect(transactedUnits(null, image(100, places))).toBe(2 + 1 + 1);
    expect(transactedUnits(null, image(1500, places))).toBe(4 + 2 + 1);
  });

  it('charges nothing for an unchanged index entry', () => {
    const [before, after] = [image(100, places), image(200, places)];
    expect(transactedUnits(before, after)).toBe(2 + 1);
    expect(transactedUnits(before, before)).toBe(2);
  });

  it('charges a deletion and a write for a changed index key', () => {
    const moved = image(100, { ...places, g1sk: '2', g2sk: '2' });
    expect(transactedUnits(image(100, places), moved)).toBe(2 + 2 + 2);
    expect(transactedUnits(image(100, places), image(100))).toBe(2 + 1 + 1);
  });
});

describe('a single write', () => {
  it('costs one unit per started kilobyte, and names the partition of each unit', () => {
    const before = image(1500, places);
    const after = image(2500, { ...places, g1pk: 'r' });
    expect(consumedByWrite({ key, before, after, transacted: false }, shape)).toEqual([
      { index: null, partition: 'a', sort: 'b', units: 3, grownBytes: 1000 },
      { index: 'GSI1', partition: 'p', sort: '1', units: 2, grownBytes: -(sizeOf(before) + 100) },
      { index: 'GSI1', partition: 'r', sort: '1', units: 3, grownBytes: sizeOf(after) + 100 },
    ]);
  });

  it('tells whether the item expires', () => {
    const expiring = { ...image(10, places), expiresAt: { N: '1' } };
    const expires = (before: Image | null, after: Image | null) =>
      consumedByWrite({ key, before, after, transacted: false }, shape).map((one) => one.expires);
    expect(expires(null, expiring)).toEqual([true, true, true]);
    expect(expires(expiring, null)).toEqual([true, true, true]);
    expect(expires(expiring, image(10, places))).toEqual([undefined, undefined]);
  });

  it('costs the units of the stored item when its condition fails', () => {
    const before = image(1500);
    expect(consumedByWrite({ key, before, after: before, transacted: false }, shape)).toEqual([
      { index: null, partition: 'a', sort: 'b', units: 2, grownBytes: 0 },
    ]);
  });
});

describe('a read', () => {
  it('costs one unit per started four kilobytes, half of it when it is eventually consistent', () => {
    const units = (found: Image | null, times: 0.5 | 1 | 2) => consumedByRead(key, found, times, shape).units;
    expect([units(null, 0.5), units(image(4000), 1), units(image(5000), 1), units(image(5000), 2)]).toEqual([
      0.5, 1, 2, 4,
    ]);
    expect(consumedByRead(key, null, 1, shape)).toMatchObject({ index: null, partition: 'a', sort: 'b' });
  });
});

describe('sizeOf', () => {
  it.each([
    [{ S: 'héllo' }, 6],
    [{ N: '1795254480485' }, 8],
    [{ N: '-0.5' }, 2],
    [{ BOOL: true }, 1],
    [{ NULL: true }, 1],
    [{ L: [{ S: 'ab' }, { S: 'c' }] }, 3 + 3 + 2],
    [{ M: { ab: { S: 'c' } } }, 3 + 1 + 3],
    [{ SS: ['ab', 'c'] }, 3],
  ])('counts %j as %i bytes beside its name', (value, bytes) => {
    expect(sizeOf({ n: value as Image[string] })).toBe(1 + bytes);
  });
});
