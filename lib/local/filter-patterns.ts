/** Filter criteria of event source mappings (Lambda developer guide, "Control which events Lambda sends to your function"). */

/**
 * Whether a record matches a pattern: all fields must match, each by one of its alternatives.
 *
 * @throws Error for an unsupported comparison
 */
export function passesPattern(pattern: unknown, record: unknown): boolean {
  if (typeof pattern !== 'object' || pattern === null) throw new Error('a filter pattern is an object');
  return Object.entries(pattern).every(([name, expected]) => {
    const actual = (record as Record<string, unknown> | null | undefined)?.[name];
    if (Array.isArray(expected)) return expected.some((alternative) => matches(alternative, actual));
    return typeof actual === 'object' && actual !== null && passesPattern(expected, actual);
  });
}

function matches(alternative: unknown, actual: unknown): boolean {
  if (typeof alternative !== 'object' || alternative === null) return alternative === actual;
  const [[comparison, argument] = []] = Object.entries(alternative);
  switch (comparison) {
    case 'prefix':
      return typeof actual === 'string' && actual.startsWith(String(argument));
    case 'suffix':
      return typeof actual === 'string' && actual.endsWith(String(argument));
    case 'exists':
      return (actual !== undefined) === argument;
    case 'anything-but':
      return actual !== undefined && !(Array.isArray(argument) ? argument : [argument]).includes(actual);
    default:
      throw new Error(`the filter comparison ${comparison} is not supported`);
  }
}
