/**
 * Evaluates JSON filter patterns of CloudWatch Logs metric filters ("Filter pattern syntax for metric filters",
 * Amazon CloudWatch Logs User Guide).
 */

type Condition = (line: unknown) => boolean;

/** `(`, `)`, `&&`, `||`, operators, quoted strings, regular expressions, selectors and bare words. */
const tokenPattern =
  /\s*(\(|\)|&&|\|\||!=|=|"(?:[^"\\]|\\.)*"|%[\w:#=@/;,\-^$?[\]{}|\\*+.]+%|\$(?:\.[\w-]+|\[(?:\d+|\*)\])+|[\w.*-]+)/y;

/** Whether a log line matches a pattern. @throws Error as `logPattern` */
export function matchesLogPattern(pattern: string, line: string): boolean {
  return logPattern(pattern)(line);
}

/**
 * The test of log lines for a pattern such as `{ ($.level = "ERROR") && ($.cause != "network") }`.
 * String comparisons only, with `*` as a wildcard, regular expressions between `%`, `&&`, `||` and parentheses; elements of an array by
 * their number, or any of them by `[*]`.
 *
 * @throws Error for a pattern that is not of this form
 */
export function logPattern(pattern: string): (line: string) => boolean {
  const [, body] = /^\{(.*)\}$/s.exec(pattern.trim()) ?? [];
  if (body === undefined) throw new Error(`not a JSON filter pattern: ${pattern}`);
  const condition = parse(tokensOf(body));
  return (line) => {
    const value = jsonOf(line);
    return value !== undefined && condition(value);
  };
}

/** A line that is not JSON matches no JSON pattern. */
function jsonOf(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

function tokensOf(text: string): string[] {
  const tokens: string[] = [];
  tokenPattern.lastIndex = 0;
  while (tokenPattern.lastIndex < text.trimEnd().length) {
    const at = tokenPattern.lastIndex;
    const token = tokenPattern.exec(text)?.[1];
    if (token === undefined) throw new Error(`unknown filter pattern syntax: ${text.slice(at)}`);
    tokens.push(token);
  }
  return tokens;
}

function parse(tokens: string[]): Condition {
  const condition = parseAny(tokens);
  if (tokens.length > 0) throw new Error(`unknown filter pattern syntax: ${tokens.join(' ')}`);
  return condition;
}

/** `&&` binds closer than `||`. */
function parseAny(tokens: string[]): Condition {
  const alternatives = [parseAll(tokens)];
  while (tokens[0] === '||') {
    tokens.shift();
    alternatives.push(parseAll(tokens));
  }
  return (line) => alternatives.some((matches) => matches(line));
}

function parseAll(tokens: string[]): Condition {
  const conditions = [parseOne(tokens)];
  while (tokens[0] === '&&') {
    tokens.shift();
    conditions.push(parseOne(tokens));
  }
  return (line) => conditions.every((matches) => matches(line));
}

function parseOne(tokens: string[]): Condition {
  const token = tokens.shift() ?? '';
  if (token === '(') {
    const condition = parseAny(tokens);
    if (tokens.shift() !== ')') throw new Error('a parenthesis of the filter pattern is not closed');
    return condition;
  }
  const operator = tokens.shift();
  const expected = tokens.shift();
  if (!token.startsWith('$.') || (operator !== '=' && operator !== '!=') || expected === undefined)
    throw new Error(`unknown filter pattern syntax: ${token} ${operator ?? ''}`);
  const path = token
    .slice(2)
    .split(/\.|\[/)
    .map((part) => part.replace(']', ''));
  if (path.filter((part) => part === '*').length > 1) throw new Error(`more than one wildcard in ${token}`);
  const matcher = matcherOf(expected);
  return (line) => valuesAt(line, path).some((value) => compare(value, operator, matcher));
}

function matcherOf(expected: string): RegExp {
  if (expected.startsWith('%')) return new RegExp(expected.slice(1, -1));
  return wildcard(expected.startsWith('"') ? String(JSON.parse(expected)) : expected);
}

/** A selector that finds no string or number matches nothing, whatever the operator. */
function compare(value: unknown, operator: '=' | '!=', matcher: RegExp): boolean {
  if (typeof value !== 'string' && typeof value !== 'number') return false;
  return matcher.test(String(value)) === (operator === '=');
}

function wildcard(text: string): RegExp {
  return new RegExp(`^${text.replaceAll(/[\\^$.+?()[\]{}|]/g, '\\$&').replaceAll('*', '.*')}$`, 's');
}

/** What a selector finds: one value, or with `[*]` those of all elements. */
function valuesAt(value: unknown, path: readonly string[]): unknown[] {
  return path.reduce<unknown[]>(
    (found, part) =>
      found.flatMap((inner) => {
        if (part === '*') return Array.isArray(inner) ? inner : [];
        return typeof inner === 'object' && inner !== null ? [(inner as Record<string, unknown>)[part]] : [];
      }),
    [value],
  );
}
