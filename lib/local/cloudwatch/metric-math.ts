/** Metric math as the alarms use it: numbers, ids, `FILL`, arithmetic ("Using math expressions with CloudWatch metrics"). */

/** null: no data. */
export type Value = number | null;

const tokens = /\s*(\d+(?:\.\d+)?|[A-Za-z_]\w*|[-+*/(),])/y;

/** @throws Error for what this subset does not have */
export function evaluateMath(expression: string, dataOf: (id: string) => Value): Value {
  const rest = tokensOf(expression);
  const value = sum(rest, dataOf);
  if (rest.length > 0) throw new Error(`unsupported metric math: ${expression}`);
  return value;
}

function tokensOf(expression: string): string[] {
  const found: string[] = [];
  tokens.lastIndex = 0;
  while (tokens.lastIndex < expression.trimEnd().length) {
    const [, token] = tokens.exec(expression) ?? [];
    if (token === undefined) throw new Error(`unsupported metric math: ${expression}`);
    found.push(token);
  }
  return found;
}

type Read = (rest: string[], dataOf: (id: string) => Value) => Value;

const sum: Read = (rest, dataOf) => chain(rest, dataOf, ['+', '-'], product);
const product: Read = (rest, dataOf) => chain(rest, dataOf, ['*', '/'], operand);

/** Operations of one precedence, from left to right. */
function chain(rest: string[], dataOf: (id: string) => Value, operators: string[], next: Read): Value {
  let value = next(rest, dataOf);
  while (operators.includes(rest[0] ?? '')) {
    const operator = rest.shift();
    const other = next(rest, dataOf);
    value = value === null || other === null ? null : apply(operator, value, other);
  }
  return value;
}

/** A division by zero has no data point. */
function apply(operator: string | undefined, left: number, right: number): Value {
  if (operator === '/') return right === 0 ? null : left / right;
  if (operator === '*') return left * right;
  return operator === '+' ? left + right : left - right;
}

const operand: Read = (rest, dataOf) => {
  const token = rest.shift() ?? '';
  if (token === '(') {
    const value = sum(rest, dataOf);
    expectToken(rest, ')');
    return value;
  }
  if (token === 'FILL') {
    expectToken(rest, '(');
    const value = sum(rest, dataOf);
    expectToken(rest, ',');
    const instead = sum(rest, dataOf);
    expectToken(rest, ')');
    return value ?? instead;
  }
  if (/^\d/.test(token)) return Number(token);
  if (/^[A-Za-z_]/.test(token)) return dataOf(token);
  throw new Error(`unsupported metric math at ${token}`);
};

function expectToken(rest: string[], token: string): void {
  if (rest.shift() !== token) throw new Error(`metric math lacks ${token}`);
}
