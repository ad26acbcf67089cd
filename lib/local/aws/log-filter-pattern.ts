/** Filter patterns of FilterLogEvents ("Filter pattern syntax", Amazon CloudWatch Logs User Guide): a quoted term, or fields of JSON. */
import { logPattern } from '../cloudwatch/log-filter-patterns.ts';
import { AwsError } from './service.ts';

const term = /^"((?:[^"\\]|\\.)*)"$/;

/**
 * The test of a pattern. Terms are case-sensitive.
 *
 * @throws AwsError for a pattern of another form
 */
export function logFilter(pattern: string): (line: string) => boolean {
  const [, text] = term.exec(pattern) ?? [];
  if (text !== undefined) {
    const sought = text.replaceAll(/\\(.)/g, '$1');
    return (line) => line.includes(sought);
  }
  try {
    return logPattern(pattern);
  } catch {
    const message = `The local cloud does not know the filter pattern ${pattern}`;
    throw new AwsError('InvalidParameterException', message);
  }
}
