import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { parseOptions } from '../../lib/http/issues.ts';
import { withOwnLengths } from '../../lib/http/length-checks.ts';

describe('withOwnLengths', () => {
  const bounded = z.string().min(1).max(3);
  const schema = withOwnLengths(
    z.strictObject({
      name: bounded,
      list: z.array(bounded).max(2).optional(),
      either: z.union([bounded, z.strictObject({ inner: bounded.transform((text) => text) })]).optional(),
      map: z.record(z.string().length(1), bounded.nullable().default('a')).optional(),
    }),
  );
  const issuesOf = (value: unknown) =>
    schema
      .safeParse(value, parseOptions)
      .error?.issues.map(({ path, message }) => `${path.join('.')} ${message}`);

  it('checks the type alone when a value is neither a string nor an array', () => {
    const tooLong = { length: 5 };
    expect(issuesOf({ name: tooLong, list: [tooLong], map: { a: tooLong } })).toEqual([
      'name must be a string',
      'list.0 must be a string',
      'map.a must be a string',
    ]);
    expect(issuesOf({ name: 'abc', list: tooLong })).toEqual(['list must be an array']);
  });

  it('checks lengths in all parts of a schema', () => {
    const count = '; at most 3 are allowed';
    expect(issuesOf({ name: 'abcd', list: ['a', 'b', 'c'] })).toEqual([
      `name has 4 characters${count}`,
      'list has 3 items; at most 2 are allowed',
    ]);
    expect(issuesOf({ name: '', map: { a: 'abcd' } })).toEqual([
      'name must not be empty',
      `map.a has 4 characters${count}`,
    ]);
    expect(issuesOf({ name: 'a', either: { inner: 'abcd' } })).toEqual([
      `either.inner has 4 characters${count}`,
    ]);
  });
});
