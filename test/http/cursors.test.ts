import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Problem } from '../../lib/core/problems.ts';
import { type CursorBinding, openCursor, sealCursor } from '../../lib/http/cursors.ts';

const binding = fc.record({
  secret: fc.string({ minLength: 1 }),
  operation: fc.string(),
  filters: fc.dictionary(fc.string(), fc.oneof(fc.string(), fc.integer(), fc.constant(null))),
});
const position = fc.oneof(fc.string(), fc.record({ began: fc.integer(), after: fc.string() }));
const example: CursorBinding = {
  secret: 's',
  operation: 'emails.list',
  filters: { space: null, query: 'a' },
};

function codeOf(work: () => unknown): string | undefined {
  try {
    work();
    return undefined;
  } catch (error) {
    if (error instanceof Problem) return error.code;
    throw error;
  }
}

describe('cursors', () => {
  it('give back the position they were made of', () => {
    fc.assert(
      fc.property(binding, position, (bound, at) => {
        expect(openCursor(bound, sealCursor(bound, at))).toEqual(at);
      }),
    );
  });

  it('are refused wherever secret, operation or a filter differs', () => {
    fc.assert(
      fc.property(binding, binding, position, (bound, other, at) => {
        fc.pre(JSON.stringify(bound) !== JSON.stringify(other));
        const cursor = sealCursor(bound, at);
        for (const part of ['secret', 'operation', 'filters'] as const) {
          const foreign = { ...bound, [part]: other[part] };
          const isSame = JSON.stringify(sorted(foreign)) === JSON.stringify(sorted(bound));
          expect(codeOf(() => openCursor(foreign, cursor))).toBe(isSame ? undefined : 'invalid_cursor');
        }
      }),
    );
  });

  it('are refused when one character is altered, added or missing', () => {
    const cursor = sealCursor(example, 'eml_1');
    const index = fc.integer({ min: 0, max: cursor.length - 1 });
    fc.assert(
      fc.property(index, fc.constantFrom(...'Aa0_-=+/ .'), (at, character) => {
        const altered = cursor.slice(0, at) + character + cursor.slice(at + 1);
        const longer = cursor.slice(0, at) + character + cursor.slice(at);
        const shorter = cursor.slice(0, at) + cursor.slice(at + 1);
        for (const forged of [altered, longer, shorter]) {
          if (forged !== cursor) expect(codeOf(() => openCursor(example, forged))).toBe('invalid_cursor');
        }
      }),
    );
  });

  it('are refused, not failed upon, when they are any text at all', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.base64String()), (text) => {
        expect(codeOf(() => openCursor(example, text))).toBe('invalid_cursor');
      }),
    );
  });

  it('do not depend on the order of the filters, nor on those that were not given', () => {
    const cursor = sealCursor(example, 'eml_1');
    const same = { ...example, filters: { query: 'a', status: undefined, space: null } };
    expect(openCursor(same, cursor)).toBe('eml_1');
  });
});

function sorted({ secret, operation, filters }: CursorBinding) {
  return [secret, operation, Object.entries(filters).sort(([a], [b]) => (a < b ? -1 : 1))];
}
