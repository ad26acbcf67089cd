/** Evaluates IAM policies: allowed when a statement allows and none denies. */
import type { NeededPermission } from './aws/service.ts';

export interface Statement {
  readonly Effect: 'Allow' | 'Deny';
  readonly Action?: string | readonly string[];
  readonly NotAction?: unknown;
  readonly Resource?: string | readonly string[];
  readonly NotResource?: unknown;
  readonly Condition?: Readonly<Record<string, Readonly<Record<string, string | readonly string[]>>>>;
}

/**
 * Whether the statements of a role allow a call.
 *
 * @throws Error for unsupported statement elements and condition operators
 */
export function isAllowed(statements: readonly Statement[], needed: NeededPermission): boolean {
  const applying = statements.filter((statement) => applies(statement, needed));
  return applying.length > 0 && applying.every(({ Effect }) => Effect === 'Allow');
}

function applies(statement: Statement, needed: NeededPermission): boolean {
  if (statement.NotAction !== undefined || statement.NotResource !== undefined) {
    throw new Error('NotAction and NotResource are not supported');
  }
  return (
    listOf(statement.Action).some((pattern) => isLike(pattern.toLowerCase(), needed.action.toLowerCase())) &&
    listOf(statement.Resource).some((pattern) => isLike(pattern, needed.resource)) &&
    Object.entries(statement.Condition ?? {}).every(([operator, keys]) =>
      Object.entries(keys).every(([key, expected]) =>
        holds(operator, listOf(expected), needed.context?.[key] ?? []),
      ),
    )
  );
}

const comparisons: Record<string, (expected: string, actual: string) => boolean> = {
  StringEquals: (expected, actual) => expected === actual,
  ArnEquals: isLike,
  StringLike: isLike,
  ArnLike: isLike,
};

/**
 * Evaluates one condition. `ForAllValues` is true for absent keys, all others are false (IAM user guide, "Set operators
 * for multivalued context keys").
 */
function holds(operator: string, expected: readonly string[], actual: readonly string[]): boolean {
  const [, set, name = ''] = /^(?:(ForAllValues|ForAnyValue):)?(\w+)$/.exec(operator) ?? [];
  const compare = comparisons[name];
  if (!compare) throw new Error(`the condition operator ${operator} is not supported`);
  const matches = (value: string) => expected.some((pattern) => compare(pattern, value));
  return set === 'ForAllValues' ? actual.every(matches) : actual.some(matches);
}

function listOf(value: string | readonly string[] | undefined): readonly string[] {
  return value === undefined ? [] : typeof value === 'string' ? [value] : value;
}

/** Matches IAM wildcards: `*` any characters, `?` one. */
function isLike(pattern: string, text: string): boolean {
  const source = pattern
    .replace(/[.+^${}()|[\]\\]/g, '\\$&')
    .replace(/\*/g, '.*')
    .replace(/\?/g, '.');
  return new RegExp(`^${source}$`, 's').test(text);
}
