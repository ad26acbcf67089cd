/** Schemas shared by requests and responses: ids, timestamps, pages, query parameters of lists. */
import * as z from 'zod';
import { type Id, type IdPrefix, idPrefixes, parseId } from '../core/ids.ts';
import { limits } from '../core/limits.ts';
import type { ProblemCode } from '../core/problems.ts';

/** A string with an example for the OpenAPI document. */
export function text(example: string, description?: string) {
  return z.string().meta({ examples: [example], ...(description !== undefined && { description }) });
}

/** A string or null; the example is null when null is the usual value. */
export function nullableText(example: string | null, description?: string) {
  return z
    .string()
    .nullable()
    .meta({ examples: [example], ...(description !== undefined && { description }) });
}

/** A string that may be absent. */
export function optionalText(example: string, description?: string) {
  return z
    .string()
    .optional()
    .meta({ examples: [example], ...(description !== undefined && { description }) });
}

/** Such as `an Email`. */
const nameOf = (prefix: IdPrefix): string =>
  `${/^[AEIO]/.test(idPrefixes[prefix]) ? 'an' : 'a'} ${idPrefixes[prefix]}`;

const idPattern = (prefix: IdPrefix): string => `^${prefix}_[0-9a-f]{32}$`;

/**
 * An id of one type.
 *
 * @param problem the code for any other text; default `not_found`, or `invalid_thread_id` for a thread
 *   (docs/concepts/errors.md)
 */
export function idSchema<P extends IdPrefix>(
  prefix: P,
  problem: ProblemCode = prefix === 'thr' ? 'invalid_thread_id' : 'not_found',
) {
  return z
    .string()
    .transform((text, context): Id<P> => {
      const id = parseId(prefix, text);
      if (id) return id;
      context.addIssue({ code: 'custom', message: `is not ${nameOf(prefix)} id`, params: { problem } });
      return z.NEVER;
    })
    .meta({
      description: `\`${prefix}_\` and 32 hexadecimal digits.`,
      pattern: idPattern(prefix),
      examples: [exampleId(prefix)],
    });
}

/** The ids of a batch: a malformed id, or one of another type, is left out as an unknown one is. */
export function idsInput<P extends IdPrefix>(prefix: P, max: number) {
  return z
    .array(
      z.string().meta({
        pattern: idPattern(prefix),
        description: `Id of ${nameOf(prefix)}; other text is ignored, as an unknown id is.`,
        examples: [exampleId(prefix)],
      }),
    )
    .min(1)
    .max(max)
    .transform((texts): Id<P>[] => texts.flatMap((text) => parseId(prefix, text) ?? []));
}

/** The id that examples have. */
export const exampleId = (prefix: IdPrefix): string => `${prefix}_019c1430b800a1b2c3d4e5f60718293a`;

export const exampleTimestamp = '2026-01-31T12:00:00.000Z';

/** A timestamp in a response: RFC 3339, UTC, milliseconds. */
export const timestampSchema = z.iso.datetime({ precision: 3 });
export const createdAt = timestampSchema.describe('Time of creation.');
export const updatedAt = timestampSchema.describe('Time of the last change, else of creation.');

/** The Space of a resource in a response. */
export const spaceId = idSchema('spc')
  .nullable()
  .meta({
    examples: [null],
    description: 'Its Space, which never changes; null: the workspace itself.',
  });

/** The same of what applies to a Space. */
export const appliesInSpace = idSchema('spc')
  .nullable()
  .meta({
    examples: [null],
    description: 'The only Space in which it applies, which never changes; null: every Space.',
  });

/** A number of things or units. */
export function count(example: number, description: string) {
  return z
    .int()
    .min(0)
    .meta({ examples: [example], description });
}

/** @param ms Unix milliseconds */
export function timestampOf(ms: number): string {
  return new Date(ms).toISOString();
}

export function timestampOrNull(ms: number | null): string | null {
  return ms === null ? null : timestampOf(ms);
}

const dateTime = z.iso.datetime({ offset: true });

/** Unix milliseconds of an RFC 3339 time with an offset; null for any other text. */
export function parseTimestamp(text: string): number | null {
  // RFC 3339, section 5.6: "T" and "Z" may be lower case.
  const parsed = dateTime.safeParse(text.toUpperCase());
  return parsed.success ? Date.parse(parsed.data) : null;
}

/** A time with an offset (RFC 3339), parsed to Unix milliseconds. */
export const timestampInput = z
  .string()
  .max(limits.timestampCharacters, { abort: true })
  .transform((text, context): number => {
    const atMs = parseTimestamp(text);
    if (atMs !== null) return atMs;
    const message = 'must be an RFC 3339 time with an offset, such as 2026-01-31T12:00:00+01:00';
    context.addIssue({ code: 'custom', message });
    return z.NEVER;
  })
  .meta({
    format: 'date-time',
    examples: ['2026-02-01T09:00:00+01:00'],
    description: 'RFC 3339 with an offset.',
  });

/** What every page of a list has. */
export const pageFields = {
  next_cursor: nullableText(
    null,
    'Give it as `cursor` to get the next page; null on the last page. With a filter, a page can have fewer items than ' +
      '`limit`, even none, and is not the last one: the work of one request is bounded.',
  ),
};

/** A page of a list (docs/concepts/pagination.md), named after its items. */
export function pageOf<Item extends z.ZodType>(item: Item) {
  return z
    .strictObject({
      data: z.array(item).describe('At most `limit` items.'),
      ...pageFields,
    })
    .meta({ id: `${item.meta()?.id}Page`, description: `A page of \`${item.meta()?.id}\` records.` });
}

/**
 * Option of a check over several fields of an object: it also runs where one of them is invalid, so that one answer lists every
 * issue. The check then sees invalid values as they were given.
 */
export const besideOtherIssues = {
  when: ({ value }: { readonly value: unknown }) =>
    typeof value === 'object' && value !== null && !Array.isArray(value),
};

/** A whole number in a query string. */
export function integerQuery({ min, max }: { min: number; max: number }) {
  return z
    .string()
    .regex(/^-?\d{1,15}$/, 'must be a whole number')
    .transform(Number)
    .pipe(z.int().min(min).max(max))
    .meta({ type: 'integer', minimum: min, maximum: max });
}

/** `true` or `false` in a query string. */
export function flagQuery(description: string) {
  return z
    .enum(['true', 'false'])
    .transform((text) => text === 'true')
    .meta({ type: 'boolean', enum: [true, false], description });
}

/** A parameter that may be given several times: the values, each once. @param different number of different values */
export function repeatedQuery<Value extends z.ZodType>(value: Value, different: number) {
  return z
    .array(value)
    .transform((values) => [...new Set(values)].sort())
    .meta({ maxItems: different });
}

/** `limit` and `cursor` of every list; the handler reads them with `request.page()`. */
export const pageQuery = {
  limit: integerQuery({ min: 1, max: limits.pageSize })
    .default(limits.pageSizeDefault)
    .meta({ default: limits.pageSizeDefault, description: 'Maximum number of items on the page.' }),
  cursor: z
    .string()
    .meta({ pattern: '^[A-Za-z0-9_-]+$' })
    .optional()
    .describe(
      '`next_cursor` of the previous page, with the same filters; other text is refused with `invalid_cursor`.',
    ),
};

/**
 * `space` of lists whose resources have a `space_id`: an id; `none`, parsed as null, for resources in no space; absent
 * for all resources. The handler checks that the space exists.
 */
export const spaceQuery = {
  space: z
    .string()
    .transform((text, context): Id<'spc'> | null => {
      const space = text === 'none' ? null : parseId('spc', text);
      if (space !== null || text === 'none') return space;
      context.addIssue({ code: 'custom', message: 'is not a Space id', params: { problem: 'not_found' } });
      return z.NEVER;
    })
    .meta({ pattern: '^(none|spc_[0-9a-f]{32})$' })
    .optional()
    .meta({
      examples: [exampleId('spc')],
      description:
        'Only resources of this Space, or with `none` those of the workspace itself; without it, resources of all Spaces.',
    }),
};

/** `query` of lists with a search. */
export function searchQuery(where: string) {
  return {
    query: z
      .string()
      .min(1)
      .max(limits.queryCharacters)
      .optional()
      .describe(`Words that must all occur in ${where}. The match is literal and ignores case.`),
  };
}
