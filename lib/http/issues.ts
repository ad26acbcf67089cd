/** Turns zod's issues into a problem with `issues[]`; see docs/concepts/errors.md. */
import * as z from 'zod';
import { type Issue, isProblemCode, Problem, type ProblemCode } from '../core/problems.ts';

/** An issue in error bodies of both versions. */
export const issueSchema = z
  .strictObject({
    path: z.string().meta({
      examples: ['to.0.address'],
      description: 'Where the invalid part is: names and positions, joined by dots; empty: the whole body.',
    }),
    message: z.string().meta({
      examples: ['is required'],
      description: 'What is wrong, as a predicate that follows the name.',
    }),
  })
  .meta({ id: 'Issue', description: 'An invalid part of a request.' });

/** Bounds the response to a body with many invalid elements. */
const issuesMax = 100;

type ZodIssue = z.core.$ZodIssue;

/** Parse options of every request schema: messages are predicates that read after the field's name. */
export const parseOptions = { error: messageOf };

function messageOf(issue: z.core.$ZodRawIssue): string | undefined {
  if (issue.input === undefined && issue.code !== 'custom') return 'is required';
  switch (issue.code) {
    case 'invalid_type':
      return `must be ${typeNames[issue.expected] ?? `of type ${issue.expected}`}`;
    case 'invalid_value':
      return issue.values.length === 1
        ? `must be ${String(issue.values[0])}`
        : `must be one of ${issue.values.map(String).join(', ')}`;
    case 'too_big':
      return sizeMessage(issue.origin, issue.input, 'at most', Number(issue.maximum));
    case 'too_small':
      return sizeMessage(issue.origin, issue.input, 'at least', Number(issue.minimum));
    case 'unrecognized_keys':
      return 'is not a known field';
    case 'invalid_union':
      return 'has none of the allowed forms';
    case 'invalid_key':
      return 'has an invalid name';
    case 'invalid_format':
      return 'has an invalid format';
    default:
      return undefined;
  }
}

const typeNames: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  object: 'an object',
  record: 'an object',
  array: 'an array',
  null: 'null',
};

const units: Readonly<Record<string, string>> = { string: 'character', array: 'item' };

function sizeMessage(origin: string, input: unknown, bound: 'at most' | 'at least', limit: number): string {
  const unit = units[origin];
  if (unit === undefined) return `must be ${bound} ${limit}`;
  const size = typeof input === 'string' || Array.isArray(input) ? input.length : 0;
  if (size === 0) return 'must not be empty';
  const allowed = bound === 'at most' ? 'are allowed' : 'are required';
  return `has ${size} ${unit}${size === 1 ? '' : 's'}; ${bound} ${limit} ${allowed}`;
}

/**
 * Builds the problem for a request that failed its schema.
 *
 * @param fallback code and detail, unless an issue names another code by `params: { problem: <code> }`
 */
export function invalid(
  given: readonly ZodIssue[],
  fallback: { code: ProblemCode; detail: string },
): Problem {
  const flat = given.flatMap((issue) => flatten(issue, []));
  const issues = flat.flatMap(present).slice(0, issuesMax);
  const named = flat.map((issue) => ({ issue, code: namedProblem(issue) })).find(({ code }) => code !== null);
  if (!named?.code) return new Problem(fallback.code, fallback.detail, { issues });
  const [{ path, message } = { path: '', message: '' }] = present(named.issue);
  return new Problem(named.code, `\`${path}\` ${message}.`, { issues });
}

function namedProblem(issue: ZodIssue): ProblemCode | null {
  const code: unknown = issue.code === 'custom' ? issue.params?.problem : undefined;
  return typeof code === 'string' && isProblemCode(code) ? code : null;
}

/**
 * A union reports the issues of all its alternatives. When one alternative is closest (right type, fewest unknown
 * fields), only its issues are reported.
 */
function flatten(issue: ZodIssue, base: readonly PropertyKey[]): ZodIssue[] {
  const path = [...base, ...issue.path];
  if (issue.code !== 'invalid_union') return [{ ...issue, path }];
  const close = issue.errors.filter((alternative) => !alternative.some(isOfOtherType));
  const fewest = Math.min(...close.map(unknownFields));
  const [only, ...others] = close.filter((alternative) => unknownFields(alternative) === fewest);
  return only && others.length === 0 ? only.flatMap((inner) => flatten(inner, path)) : [{ ...issue, path }];
}

/** Whether an issue says that the value itself is of another type than an alternative, or than all of the alternatives in it. */
function isOfOtherType(issue: ZodIssue): boolean {
  if (issue.path.length > 0) return false;
  if (issue.code === 'invalid_union')
    return issue.errors.every((alternative) => alternative.some(isOfOtherType));
  return issue.code === 'invalid_type';
}

function unknownFields(issues: readonly ZodIssue[]): number {
  return issues.reduce((sum, issue) => sum + (issue.code === 'unrecognized_keys' ? issue.keys.length : 0), 0);
}

function present(issue: ZodIssue): Issue[] {
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({ path: pathText([...issue.path, key]), message: issue.message }));
  }
  return [{ path: pathText(issue.path), message: issue.message }];
}

/** `['to', 0, 'address']` as `to.0.address`. */
export function pathText(path: readonly PropertyKey[]): string {
  return path.map(String).join('.');
}
