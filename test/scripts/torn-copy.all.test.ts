/** A copy of a table that lags item by item (`npm run drill:region`). */
import { describe, expect, it } from 'vitest';
import { seeded } from '../../scripts/random.ts';
import { tornCopy } from '../../scripts/region/torn-copy.ts';

const item = (sk: string, value: string) => ({ pk: { S: 'p' }, sk: { S: sk }, value: { S: value } });
const numbers = Array.from({ length: 200 }, (_, at) => String(at));

describe('tornCopy', () => {
  it('has what did not change, and of each change either what was before or what is after', () => {
    const same = numbers.map((sk) => item(`same ${sk}`, 'x'));
    const before = [...same, ...numbers.map((sk) => item(`changed ${sk}`, 'old')), item('deleted', 'x')];
    const after = [
      ...same,
      ...numbers.map((sk) => item(`changed ${sk}`, 'new')),
      ...numbers.map((sk) => item(`made ${sk}`, 'x')),
    ];
    const { copy, missing, replicated } = tornCopy(before, after, seeded(1));
    expect(missing + replicated).toBe(401);
    expect(missing).toBeGreaterThan(100);
    expect(replicated).toBeGreaterThan(100);
    expect(copy).toEqual(expect.arrayContaining(same));
    const known = new Set([...before, ...after].map((one) => JSON.stringify(one)));
    expect(copy.filter((one) => !known.has(JSON.stringify(one)))).toEqual([]);
  });

  it('is the table where nothing changed', () => {
    const table = numbers.map((sk) => item(sk, 'x'));
    expect(tornCopy(table, table, seeded(1))).toMatchObject({ missing: 0, replicated: 0 });
  });
});
