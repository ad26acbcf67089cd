import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Problem } from '../../lib/core/problems.ts';
import { parseJson } from '../../lib/http/json.ts';

function problemOf(text: string): Problem | undefined {
  try {
    parseJson(text);
    return undefined;
  } catch (error) {
    if (error instanceof Problem) return error;
    throw error;
  }
}

describe('parseJson', () => {
  it('reads whatever JSON.stringify writes of well-formed values', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 3, stringUnit: 'binary' }), (value) => {
        const text = JSON.stringify(value);
        fc.pre(!text.includes('__proto__'));
        expect(parseJson(text)).toEqual(JSON.parse(text));
      }),
      { numRuns: 50 },
    );
  });

  it('never fails with anything but a Problem', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(problemOf(text)?.status ?? 400).toBe(400);
      }),
    );
  });

  it('does not repeat the body in the detail', () => {
    const problem = problemOf('{"password": hunter2');
    expect(problem?.code).toBe('invalid_json');
    expect(problem?.message).not.toContain('hunter2');
    expect(problem?.cause).toBeUndefined();
  });

  it('refuses what is nested deeper than 64 levels, however deep', () => {
    const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);
    expect(problemOf(nested(64))).toBeUndefined();
    expect(problemOf(nested(65))?.code).toBe('invalid_json');
    expect(problemOf(nested(100_000))?.code).toBe('invalid_json');
  });

  it.each([
    '{"a":1,"a":1}',
    '{"a":{"b":1,"c":{}},"a":{}}',
    '[{"a":[{"b":1,"b":2}]}]',
    '{"a":1,"\\u0061":2}',
    '{"\\"":1,"\\"":2}',
    '{"":1,"":2}',
    '{"length":1,"length":1}',
  ])('refuses %s, which repeats a key of an object', (text) => {
    expect(problemOf(text)?.code).toBe('invalid_json');
  });

  it('takes keys, colons and quotes that only look repeated', () => {
    const text = '{"a":"\\":\\\\","b":{"a":":"},"c":[{"a":1},{"a":2}],"\\"a":null,"A":0,"1":0,"01":0}';
    expect(parseJson(text)).toEqual(JSON.parse(text));
  });

  it('reads megabytes of one structure within a second', () => {
    const megabytes = 6_000_000;
    for (const unit of ['\\"', '\\\\', ':', 'a']) {
      const text = `{"a":"${unit.repeat(megabytes / unit.length)}"}`;
      expect(problemOf(text), unit).toBeUndefined();
    }
    expect(problemOf(`[${'1,'.repeat(megabytes / 2)}1]`)).toBeUndefined();
    expect(problemOf(`{${'"a":1,'.repeat(megabytes / 6)}"a":1}`)?.code).toBe('invalid_json');
  });

  it.each(['{"__proto__":{"admin":true}}', '{"a":[{"\\u005f_proto__":1}]}'])(
    'refuses %s as an unknown field',
    (text) => {
      const problem = problemOf(text);
      expect(problem?.code).toBe('invalid_request');
      expect(problem?.issues).toEqual([{ path: '__proto__', message: 'is not a known field' }]);
    },
  );

  it.each(['"\\ud800"', '{"\\udc00":1}', '["a","\\ud83d x"]'])(
    'refuses half of a surrogate pair: %s',
    (text) => {
      expect(problemOf(text)?.code).toBe('invalid_json');
    },
  );
});
