import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fromAttributes, toAttributes } from '../../lib/storage/attribute-values.ts';

const { value } = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.string(),
    fc.boolean(),
    fc.constant(null),
    fc.maxSafeInteger(),
    fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e15, max: 1e15 }),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(fc.string(), tie('value'), { maxKeys: 4 }),
    fc.uniqueArray(fc.string(), { minLength: 1, maxLength: 4 }).map((values) => new Set(values)),
  ),
}));

const map = fc.dictionary(fc.string(), value, { maxKeys: 5 });

describe('toAttributes and fromAttributes', () => {
  it('agree with the SDK', () => {
    fc.assert(
      fc.property(map, (item) => {
        const attributes = toAttributes(item);
        expect(attributes).toEqual(marshall(item));
        expect(fromAttributes(attributes)).toEqual(unmarshall(marshall(item)));
      }),
    );
  });

  it('write bytes as base64 and read them back', () => {
    const stored = toAttributes({ bytes: Buffer.from([0, 255, 1]) });
    expect(stored).toEqual({ bytes: { B: 'AP8B' } });
    expect(fromAttributes(stored)).toEqual({ bytes: new Uint8Array([0, 255, 1]) });
  });

  it('leave out what is undefined', () => {
    expect(toAttributes({ a: undefined, b: { c: undefined }, d: [undefined, 1] })).toEqual({
      b: { M: {} },
      d: { L: [{ N: '1' }] },
    });
  });

  it.each([
    ['a number that DynamoDB has not', Number.NaN],
    ['a number that has lost digits', 2 ** 53],
    ['an empty set', new Set()],
    ['a set of numbers', new Set([1])],
    ['a function', () => {}],
    ['a date', new Date(0)],
  ])('refuse %s', (_, refused) => {
    expect(() => toAttributes({ refused })).toThrow(TypeError);
  });

  it.each([
    ['of an unknown type', { a: { BS: [] } }],
    ['without a type', { a: {} }],
  ])('refuse attribute values %s', (_, refused) => {
    expect(() => fromAttributes(refused)).toThrow(TypeError);
  });
});
