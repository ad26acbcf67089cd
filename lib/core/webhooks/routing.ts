/** Routing rules of endpoints: filters of events by address (docs/concepts/webhooks.md#routing). */
import { addressKey } from '../mail/addresses.ts';

export const routingEffects = ['allow', 'block'] as const;
export const routingFields = ['from', 'to', 'either'] as const;

export interface RoutingRule {
  readonly effect: (typeof routingEffects)[number];
  readonly field: (typeof routingFields)[number];
  /** An address in which `*` matches any characters: `*@acme.dev`, `sales-*@*`. */
  readonly pattern: string;
}

/** The addresses of an event. */
export interface RoutedAddresses {
  /** Sender and every Reply-To. */
  readonly from: readonly string[];
  /** All of To, Cc and Bcc. */
  readonly to: readonly string[];
}

const patternCharactersMax = 320;

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

/**
 * Whether an event passes an endpoint's rules: no block rule matches, and where there are allow rules, one of them does.
 *
 * @param addresses null for events without addresses (domain events), which pass all rules
 */
export function passesRouting(rules: readonly RoutingRule[], addresses: RoutedAddresses | null): boolean {
  if (addresses === null) return true;
  const { from, to } = addresses;
  const byField = { from, to, either: [...from, ...to] };
  const isMatch = ({ field, pattern }: RoutingRule) =>
    byField[field].some((address) => matchesPattern(pattern, address));
  const allowing = rules.filter(({ effect }) => effect === 'allow');
  const isBlocked = rules.some((rule) => rule.effect === 'block' && isMatch(rule));
  return !isBlocked && (allowing.length === 0 || allowing.some(isMatch));
}
