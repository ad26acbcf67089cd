/** JSON from strangers: parsed, and refused where what it says would do harm further in. */
import { Problem } from '../core/problems.ts';

/** Far more than any body of the interface needs; free-form payloads are walked recursively later. */
const depthMax = 64;

/**
 * @throws Problem invalid_json where `text` is no JSON, is nested deeper than 64 levels, or holds half of a surrogate
 *   pair (which UTF-8 cannot store); invalid_request where a field is named `__proto__`
 */
export function parseJson(text: string): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // The parser's message quotes the body, so that it is neither shown nor kept as a cause.
    throw new Problem('invalid_json', 'The body is not valid JSON.');
  }
  inspect(value);
  return value;
}

/** A walk with a stack of its own: how deep the value is shows only at its end. */
function inspect(root: unknown): void {
  const stack = [{ value: root, depth: 0 }];
  for (let next = stack.pop(); next; next = stack.pop()) {
    const { value, depth } = next;
    if (typeof value === 'string') assertWellFormed(value);
    if (typeof value !== 'object' || value === null) continue;
    if (depth === depthMax) {
      throw new Problem('invalid_json', `The body is nested deeper than ${depthMax} levels.`);
    }
    for (const [name, inner] of Object.entries(value)) {
      assertWellFormed(name);
      if (name === '__proto__') throw unknownProto();
      stack.push({ value: inner, depth: depth + 1 });
    }
  }
}

function assertWellFormed(text: string): void {
  if (text.isWellFormed()) return;
  throw new Problem('invalid_json', 'The body has a string with half of a surrogate pair.');
}

/** An object with such a field turns into another kind of object when it is copied carelessly. */
function unknownProto(): Problem {
  return new Problem('invalid_request', 'The body failed validation.', {
    issues: [{ path: '__proto__', message: 'unknown field' }],
  });
}
