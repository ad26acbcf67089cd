/** Filter patterns of CloudWatch Logs, as far as our commands use them ("Filter pattern syntax", Amazon CloudWatch Logs User Guide). */
import { AwsError } from './service.ts';

const term = /^"((?:[^"\\]|\\.)*)"$/;
/** `{ $.emails[0].email_id = "eml_*" }` ("Using filter patterns to match terms in JSON log events"). */
const comparison = /^\{\s*\$((?:\.\w+|\[\d+\])+)\s*=\s*"((?:[^"\\]|\\.)*)"\s*\}$/;

/**
 * The test of a pattern: a quoted term, which is case-sensitive, or one comparison of a field of JSON with a string, whose
 * first and last `*` stand for any text.
 *
 * @throws AwsError for any other pattern
 */
export function logFilter(pattern: string): (line: string) => boolean {
  const [, text] = term.exec(pattern) ?? [];
  if (text !== undefined) {
    const sought = unescaped(text);
    return (line) => line.includes(sought);
  }
  const [, path, value] = comparison.exec(pattern) ?? [];
  if (path === undefined || value === undefined) {
    throw new AwsError(
      'InvalidParameterException',
      `The local cloud does not know the filter pattern ${pattern}`,
    );
  }
  const names = [...path.matchAll(/\w+/g)].map(([name]) => name);
  const isMeant = wildcard(unescaped(value));
  return (line) => {
    const found = names.reduce<unknown>((at, name) => Object(at)[name], parsed(line));
    return (typeof found === 'string' || typeof found === 'number') && isMeant(String(found));
  };
}

function wildcard(value: string): (text: string) => boolean {
  const isOpenBefore = value.startsWith('*');
  const isOpenAfter = value.length > 1 && value.endsWith('*');
  const middle = value.slice(isOpenBefore ? 1 : 0, isOpenAfter ? -1 : undefined);
  return (text) => {
    if (isOpenBefore && isOpenAfter) return text.includes(middle);
    if (isOpenBefore) return text.endsWith(middle);
    return isOpenAfter ? text.startsWith(middle) : text === middle;
  };
}

/** Lines that are no JSON match no comparison. */
function parsed(line: string): unknown {
  if (!line.startsWith('{')) return null;
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}

const unescaped = (text: string): string => text.replaceAll(/\\(.)/g, '$1');
