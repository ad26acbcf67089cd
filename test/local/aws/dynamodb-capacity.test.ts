import { describe, expect, it } from 'vitest';
import {
  type Image,
  type IndexShape,
  sizeOf,
  transactedUnits,
} from '../../../lib/local/aws/dynamodb-capacity.ts';

const whole: IndexShape = { keys: ['g1pk', 'g1sk'], projected: null };
const keysOnly: IndexShape = { keys: ['g2pk', 'g2sk'], projected: ['pk', 'sk', 'g2pk', 'g2sk'] };
const indexes = [whole, keysOnly];

function image(bytes: number, keys: Record<string, string> = {}): Image {
  const names = { pk: 'a', sk: 'b', ...keys };
  return {
    text: { S: 'x'.repeat(bytes) },
    ...Object.fromEntries(Object.entries(names).map(([name, S]) => [name, { S }])),
  };
}

const places = { g1pk: 'p', g1sk: '1', g2pk: 'q', g2sk: '1' };

describe('transactedUnits', () => {
  it('charges two units per started kilobyte of the larger image', () => {
    expect(transactedUnits(null, image(100), indexes)).toBe(2);
    expect(transactedUnits(null, image(1500), indexes)).toBe(4);
    expect(transactedUnits(image(2500), image(100), indexes)).toBe(6);
    expect(transactedUnits(image(2500), null, indexes)).toBe(6);
  });

  it('charges two units for a missing item', () => {
    expect(transactedUnits(null, null, indexes)).toBe(2);
  });

  it('charges one unit per started kilobyte of an index entry', () => {
    expect(transactedUnits(null, image(100, places), indexes)).toBe(2 + 1 + 1);
    expect(transactedUnits(null, image(1500, places), indexes)).toBe(4 + 2 + 1);
  });

  it('charges nothing for an unchanged index entry', () => {
    const [before, after] = [image(100, places), image(200, places)];
    expect(transactedUnits(before, after, indexes)).toBe(2 + 1);
    expect(transactedUnits(before, before, indexes)).toBe(2);
  });

  it('charges a deletion and a write for a changed index key', () => {
    const moved = image(100, { ...places, g1sk: '2', g2sk: '2' });
    expect(transactedUnits(image(100, places), moved, indexes)).toBe(2 + 2 + 2);
    expect(transactedUnits(image(100, places), image(100), indexes)).toBe(2 + 1 + 1);
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
