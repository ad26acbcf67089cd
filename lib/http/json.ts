/** Parses JSON request bodies and refuses values that are unsafe to process. */
import { invalidField, Problem } from '../core/problems.ts';

/** Deeper than any request body needs; later code walks free-form payloads recursively. */
const depthMax = 64;

/**
 * Parses JSON.
 *
 * @throws Problem invalid_json when `text` is not JSON, is nested deeper than 64 levels, repeats a key of an object (RFC 8259,
 *   section 4), or contains an unpaired surrogate (section 8.2); invalid_request when a field is named `__proto__`
 */
export function parseJson(text: string): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // The parser's message quotes the body, so it is neither shown nor logged.
    throw new Problem('invalid_json', 'The body is not valid JSON.');
  }
  // Of a repeated key, `JSON.parse` keeps the last value: it then returns fewer members than the text has.
  if (safeMembersOf(value) < writtenMembers(text)) {
    throw new Problem('invalid_json', 'The body has an object that repeats a key.');
  }
  return value;
}

const [quote, colon, backslash] = ['"', ':', '\\'].map((character) => character.charCodeAt(0));

/** The number of members of all objects in valid JSON: each has one colon outside of strings. */
function writtenMembers(text: string): number {
  let members = 0;
  let isString = false;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    // Only strings have backslashes; the next character may be an escaped quote.
    if (code === backslash) at++;
    else if (code === quote) isString = !isString;
    else if (code === colon && !isString) members++;
  }
  return members;
}

/** The number of members of all objects. Walks with an explicit stack, so that deep nesting cannot overflow the call stack. */
function safeMembersOf(root: unknown): number {
  let members = 0;
  const open = [{ value: root, depth: 0 }];
  for (let next = open.pop(); next; next = open.pop()) {
    const { value, depth } = next;
    if (typeof value === 'string') assertWellFormed(value);
    if (typeof value !== 'object' || value === null) continue;
    if (depth === depthMax) {
      throw new Problem('invalid_json', `The body is nested deeper than ${depthMax} levels.`);
    }
    const names = Array.isArray(value) ? [] : Object.keys(value);
    members += names.length;
    for (const name of names) assertSafeName(name);
    for (const inner of Object.values(value)) {
      if (typeof inner === 'object' || typeof inner === 'string')
        open.push({ value: inner, depth: depth + 1 });
    }
  }
  return members;
}

function assertWellFormed(text: string): void {
  if (text.isWellFormed()) return;
  throw new Problem('invalid_json', 'The body has a string with an unpaired surrogate.');
}

function assertSafeName(name: string): void {
  assertWellFormed(name);
  // Assigning such a field changes an object's prototype.
  if (name === '__proto__') throw invalidField(name, 'is not a known field');
}
