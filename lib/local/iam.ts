/** Evaluates IAM policies, identity-based and resource-based (IAM user guide, "Policy evaluation logic"). */

/** A policy statement, in the JSON of IAM. */
export interface Statement {
  readonly Effect: 'Allow' | 'Deny';
  /** Resource-based policies only. */
  readonly Principal?: '*' | Readonly<Record<string, string | readonly string[]>>;
  readonly Action?: string | readonly string[];
  readonly NotAction?: unknown;
  /** Absent in trust policies. */
  readonly Resource?: string | readonly string[];
  readonly NotResource?: unknown;
  readonly Condition?: Readonly<
    Record<string, Readonly<Record<string, string | number | readonly string[]>>>
  >;
}

/** A request for an action on a resource, with the condition keys that the caller sends and no others. */
export interface AccessRequest {
  readonly action: string;
  readonly resource: string;
  readonly context?: Readonly<Record<string, readonly string[]>>;
}

/** Who sends a request, for the Principal element. */
export type Principal = { readonly service: string } | { readonly account: string };

/** `delegated`: the policy allows the account's root, so that identity-based policies decide. */
export type Decision = 'allow' | 'delegated' | 'deny' | 'none';

/**
 * Whether identity-based statements allow a request: at least one allows and none denies.
 *
 * @throws Error for unsupported statement elements and condition operators
 */
export function isAllowed(statements: readonly Statement[], request: AccessRequest): boolean {
  return decide(applying(statements, request)) === 'allow';
}

/**
 * The decision of a resource-based policy.
 *
 * @throws Error for unsupported statement elements and condition operators
 */
export function evaluatePolicy(
  statements: readonly Statement[],
  principal: Principal,
  request: AccessRequest,
): Decision {
  const matching = applying(statements, request);
  const direct = decide(matching.filter((statement) => names(statement, principal)));
  if (direct !== 'none' || 'service' in principal) return direct;
  const root = `arn:aws:iam::${principal.account}:root`;
  const delegating = matching.filter(({ Principal: named }) => isListed(named, 'AWS', root));
  return decide(delegating) === 'allow' ? 'delegated' : decide(delegating);
}

/** Statements by action, for each policy: policies and actions are few, requests many. */
const byAction = new WeakMap<readonly Statement[], Map<string, readonly Statement[]>>();

function applying(statements: readonly Statement[], request: AccessRequest): readonly Statement[] {
  const known = byAction.get(statements) ?? new Map<string, readonly Statement[]>();
  byAction.set(statements, known);
  const ofAction =
    known.get(request.action) ?? statements.filter((statement) => namesAction(statement, request.action));
  known.set(request.action, ofAction);
  return ofAction.filter((statement) => applies(statement, request));
}

function namesAction(statement: Statement, action: string): boolean {
  if (statement.NotAction !== undefined || statement.NotResource !== undefined) {
    throw new Error('NotAction and NotResource are not supported');
  }
  return listOf(statement.Action).some((pattern) => isLike(pattern.toLowerCase(), action.toLowerCase()));
}

function decide(applying: readonly Statement[]): 'allow' | 'deny' | 'none' {
  if (applying.some(({ Effect }) => Effect === 'Deny')) return 'deny';
  return applying.length > 0 ? 'allow' : 'none';
}

/** Whether the Principal element names everyone or this service. */
function names({ Principal: named }: Statement, principal: Principal): boolean {
  if (named === '*' || isListed(named, 'AWS', '*')) return true;
  return 'service' in principal && isListed(named, 'Service', principal.service);
}

function isListed(named: Statement['Principal'], kind: string, value: string): boolean {
  return typeof named === 'object' && listOf(named[kind]).includes(value);
}

function applies(statement: Statement, request: AccessRequest): boolean {
  return (
    listOf(statement.Resource ?? '*').some((pattern) => isLike(pattern, request.resource)) &&
    Object.entries(statement.Condition ?? {}).every(([operator, keys]) =>
      Object.entries(keys).every(([key, expected]) =>
        holds(operator, listOf(expected), contextValues(request, key)),
      ),
    )
  );
}

/** Condition key names are case-insensitive. */
function contextValues({ context = {} }: AccessRequest, key: string): readonly string[] {
  const exact = context[key];
  if (exact) return exact;
  const name = key.toLowerCase();
  return Object.entries(context).find(([known]) => known.toLowerCase() === name)?.[1] ?? [];
}

const comparisons: Record<string, (expected: string, actual: string) => boolean> = {
  StringEquals: (expected, actual) => expected === actual,
  ArnEquals: isLike,
  StringLike: isLike,
  ArnLike: isLike,
  Bool: (expected, actual) => expected.toLowerCase() === actual.toLowerCase(),
  NumericLessThan: (expected, actual) => Number(actual) < Number(expected),
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

function listOf(value: string | number | readonly string[] | undefined): readonly string[] {
  if (value === undefined) return [];
  return typeof value === 'string' || typeof value === 'number' ? [String(value)] : value;
}

/** Compiled wildcards; the patterns are those of the templates. */
const compiled = new Map<string, RegExp | null>();

/** Matches IAM wildcards: `*` any characters, `?` one. */
function isLike(pattern: string, text: string): boolean {
  let expression = compiled.get(pattern);
  if (expression === undefined) {
    expression = compile(pattern);
    compiled.set(pattern, expression);
  }
  return expression === null ? pattern === text : expression.test(text);
}

/** null: without wildcards. */
function compile(pattern: string): RegExp | null {
  if (!/[*?]/.test(pattern)) return null;
  const source = pattern
    .replace(/[.+^${}()|[\]\\]/g, '\\$&')
    .replace(/\*/g, '.*')
    .replace(/\?/g, '.');
  return new RegExp(`^${source}$`, 's');
}
