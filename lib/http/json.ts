/** Parses JSON request bodies and refuses values that are unsafe to process. */
import { Problem } from '../core/problems.ts';

/** Deeper than any request body needs; later code walks free-form payloads recursively. */
const depthMax = 64;

/**
 * Parses JSON.
 *
 * @throws Problem invalid_json when `text` is not JSON, is nested deeper than 64 levels, or contains an unpaired
 *   surrogate (RFC 8259, section 8.2); invalid_request when a field is named `__proto__`
 */
export function parseJson(text: string): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // The parser's message quotes the body, so it is neither shown nor logged.
    throw new Problem('invalid_json', 'The body is not valid JSON.');
  }
  assertSafe(value);
  return value;
}

/** Walks with an explicit stack, so that deep nesting cannot overflow the call stack. */
function assertSafe(root: unknown): void {
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
      if (name === '__proto__') throw protoField();
      stack.push({ value: inner, depth: depth + 1 });
    }
  }
}

function assertWellFormed(text: string): void {
  if (text.isWellFormed()) return;
  throw new Problem('invalid_json', 'The body has a string with an unpaired surrogate.');
}

/** Assigning such a field changes an object's prototype. */
function protoField(): Problem {
  return new Problem('invalid_request', 'The body failed validation.', {
    issues: [{ path: '__proto__', message: 'is not a known field' }],
  });
}
