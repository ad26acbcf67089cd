/** Which events an endpoint wants, by address (interface, "Events", rule 3). */
import { addressKey } from '../mail/addresses.ts';

export const routingEffects = ['allow', 'block'] as const;
export const routingFields = ['from', 'to', 'either'] as const;

export interface RoutingRule {
  readonly effect: (typeof routingEffects)[number];
  readonly field: (typeof routingFields)[number];
  /** A whole address, in which `*` stands for any run of characters: `*@acme.dev`, `sales-*@*`. */
  readonly pattern: string;
}

/** The addresses an event is routed by. Mailbox events have the mailbox's own as both. */
export interface RoutedAddresses {
  /** Sender and every Reply-To. */
  readonly from: readonly string[];
  /** All of To, Cc and Bcc. */
  readonly to: readonly string[];
}

const patternCharactersMax = 320;

/** Whether a pattern could match an address at all: a bare word or domain is refused rather than silently never matched. */
export function isAddressPattern(text: string): boolean {
  return text.length <= patternCharactersMax && /^[^\s\p{Cc}]*[@*][^\s\p{Cc}]*$/u.test(text);
}

/** Whether `pattern` describes the whole of `address`, without regard to case or to the form of an international domain. */
export function matchesPattern(pattern: string, address: string): boolean {
  const text = addressKey(address);
  const [head = '', ...rest] = addressKey(pattern).split('*');
  const tail = rest.pop();
  if (tail === undefined) return text === head;
  if (!text.startsWith(head)) return false;
  // The earliest place for each piece leaves the most room for those behind it, so nothing is ever tried twice.
  let position = head.length;
  for (const piece of rest) {
    const found = text.indexOf(piece, position);
    if (found < 0) return false;
    position = found + piece.length;
  }
  return text.length - tail.length >= position && text.endsWith(tail);
}

/**
 * Whether an event passes an endpoint's rules: no block rule matches and, where there are allow rules, one of them does.
 *
 * @param addresses null for events without any (domain events), which pass every endpoint's rules
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
