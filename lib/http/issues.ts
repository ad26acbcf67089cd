/** Turns zod's issues into a problem with `issues[]`; see docs/concepts/errors.md. */
import type * as z from 'zod';
import { type Issue, Problem, type ProblemCode, problemStatus } from '../core/problems.ts';

/** Bounds the response to a body with many invalid elements. */
const issuesMax = 100;

type ZodIssue = z.core.$ZodIssue;

/** Parse options of every request schema: a missing field is said to be required. */
export const parseOptions = {
  error: (issue: z.core.$ZodRawIssue): string | undefined =>
    issue.code === 'invalid_type' && issue.input === undefined ? 'is required' : undefined,
};

/**
 * Builds the problem for a request that failed its schema.
 *
 * @param fallback code and detail, unless an issue names another code by `params: { problem: <code> }`
 */
export function invalid(error: z.core.$ZodError, fallback: { code: ProblemCode; detail: string }): Problem {
  const flat = error.issues.flatMap((issue) => flatten(issue, []));
  const issues = flat.flatMap(present).slice(0, issuesMax);
  const named = flat.map((issue) => ({ issue, code: namedProblem(issue) })).find(({ code }) => code !== null);
  if (!named?.code) return new Problem(fallback.code, fallback.detail, { issues });
  const [{ path, message } = { path: '', message: '' }] = present(named.issue);
  return new Problem(named.code, `${path}: ${message}.`, { issues });
}

function namedProblem(issue: ZodIssue): ProblemCode | null {
  const code: unknown = issue.code === 'custom' ? issue.params?.problem : undefined;
  return typeof code === 'string' && isProblemCode(code) ? code : null;
}

function isProblemCode(code: string): code is ProblemCode {
  return Object.hasOwn(problemStatus, code);
}

/**
 * A union reports the issues of all its alternatives. When one alternative is closest (right type, fewest unknown
 * fields), only its issues are reported.
 */
function flatten(issue: ZodIssue, base: readonly PropertyKey[]): ZodIssue[] {
  const path = [...base, ...issue.path];
  if (issue.code !== 'invalid_union') return [{ ...issue, path }];
  const close = issue.errors.filter(
    (alternative) => !alternative.some(({ code, path }) => code === 'invalid_type' && path.length === 0),
  );
  const fewest = Math.min(...close.map(unknownFields));
  const [only, ...others] = close.filter((alternative) => unknownFields(alternative) === fewest);
  return only && others.length === 0 ? only.flatMap((inner) => flatten(inner, path)) : [{ ...issue, path }];
}

function unknownFields(issues: readonly ZodIssue[]): number {
  return issues.reduce((sum, issue) => sum + (issue.code === 'unrecognized_keys' ? issue.keys.length : 0), 0);
}

function present(issue: ZodIssue): Issue[] {
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({ path: pathText([...issue.path, key]), message: 'unknown field' }));
  }
  return [{ path: pathText(issue.path), message: issue.message }];
}

/** `['to', 0, 'address']` as `to[0].address`; names that are no plain word in brackets and quotes. */
export function pathText(path: readonly PropertyKey[]): string {
  return path
    .map((part, at) => {
      if (typeof part === 'number') return `[${part}]`;
      const name = String(part);
      if (!/^[A-Za-z_][\w-]*$/.test(name)) return `[${JSON.stringify(name)}]`;
      return at === 0 ? name : `.${name}`;
    })
    .join('');
}
