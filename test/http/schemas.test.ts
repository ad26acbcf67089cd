import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { idSchema, pageQuery, spaceQuery } from '../../lib/http/schemas.ts';

const hex = '0123456789abcdef'.repeat(2);
const page = z.strictObject(pageQuery);

describe('idSchema', () => {
  it('takes an id of its own type only', () => {
    expect(idSchema('spc').parse(`spc_${hex}`)).toBe(`spc_${hex}`);
  });

  it.each([
    `dom_${hex}`,
    `spc_${hex.toUpperCase()}`,
    `spc_${hex}0`,
    `spc_${hex.slice(1)}`,
    ` spc_${hex}`,
    `spc_${hex}\n`,
    'spc_',
    '',
  ])('answers not_found to %j', (text) => {
    const { error } = idSchema('spc').safeParse(text);
    expect(error?.issues).toMatchObject([{ params: { problem: 'not_found' } }]);
  });

  it('has a code of its own for threads', () => {
    const { error } = idSchema('thr').safeParse(`eml_${hex}`);
    expect(error?.issues).toMatchObject([{ params: { problem: 'invalid_thread_id' } }]);
  });
});

describe('pageQuery', () => {
  it('is 40 items from the beginning by default', () => {
    expect(page.parse({})).toEqual({ limit: 40 });
  });

  it.each(['1', '40', '100'])('takes the limit %s', (limit) => {
    expect(page.parse({ limit })).toEqual({ limit: Number(limit) });
  });

  it.each(['0', '101', '-1', '1.5', '1e1', '0x10', ' 5', '', 'ten', '9'.repeat(30)])(
    'refuses the limit %j',
    (limit) => {
      expect(page.safeParse({ limit }).success).toBe(false);
    },
  );
});

describe('spaceQuery', () => {
  const read = (query: object) => z.strictObject(spaceQuery).safeParse(query);

  it('tells all spaces, the workspace itself and one space apart', () => {
    expect(read({}).data).toEqual({});
    expect(read({ space: 'none' }).data).toEqual({ space: null });
    expect(read({ space: `spc_${hex}` }).data).toEqual({ space: `spc_${hex}` });
  });

  it.each(['', 'null', 'None', `dom_${hex}`])('answers not_found to %j', (space) => {
    expect(read({ space }).error?.issues).toMatchObject([
      { path: ['space'], params: { problem: 'not_found' } },
    ]);
  });
});
