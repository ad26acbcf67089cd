/** Patterns of addresses, in which `*` matches any characters: `*@acme.dev`, `sales-*@*`. */
import { addressKey } from './addresses.ts';

export const patternCharactersMax = 320;

/** Whether a pattern can match an address. A word or domain without `@` or `*` is refused: it would match nothing. */
export function isAddressPattern(text: string): boolean {
  return text.length <= patternCharactersMax && /^[^\s\p{Cc}]*[@*][^\s\p{Cc}]*$/u.test(text);
}

/** Whether `pattern` matches all of `address`, ignoring case and the form of an international domain. Linear time. */
export function matchesPattern(pattern: string, address: string): boolean {
  const text = addressKey(address);
  const [head = '', ...rest] = addressKey(pattern).split('*');
  const tail = rest.pop();
  if (tail === undefined) return text === head;
  if (!text.startsWith(head)) return false;
  // The first match of each piece leaves the longest rest for the next ones: no backtracking.
  let position = head.length;
  for (const piece of rest) {
    const found = text.indexOf(piece, position);
    if (found < 0) return false;
    position = found + piece.length;
  }
  return text.length - tail.length >= position && text.endsWith(tail);
}
