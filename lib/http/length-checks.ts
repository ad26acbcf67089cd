/** Keeps checks of a length away from values of another type than that of their schema (docs/concepts/errors.md#problem-body). */
import type * as z from 'zod';

type Schema = z.core.$ZodType;
type Check = z.core.$ZodCheck;

const lengthChecks: ReadonlySet<string> = new Set(['min_length', 'max_length', 'length_equals']);

/**
 * zod checks the length of whatever has one, also after the type was wrong, so that `{"length": {…}}` in place of a string would
 * throw. Here only strings and arrays have a length, in the schema and in all its parts.
 *
 * @returns the schema that was given
 */
export function withOwnLengths<T extends Schema | null>(schema: T): T {
  const seen = new Set<unknown>();
  const open: unknown[] = [schema];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (!isSchema(next) || seen.has(next)) continue;
    seen.add(next);
    const { checks = [], ...parts } = next._zod.def;
    for (const { _zod } of checks as readonly Check[]) {
      if (lengthChecks.has(_zod.def.check)) _zod.def.when = ({ value }) => hasLength(value);
    }
    // Inner schemas are values of the definition, of its lists (`options`) or of its objects (`shape`).
    open.push(...Object.values(parts).flatMap((part) => (isSchema(part) ? part : innerOf(part))));
  }
  return schema;
}

const hasLength = (value: unknown): boolean => typeof value === 'string' || Array.isArray(value);

const innerOf = (part: unknown): unknown[] =>
  typeof part === 'object' && part !== null ? Object.values(part) : [];

function isSchema(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && '_zod' in value;
}
