/** Routing rules of endpoints: filters of events by address (docs/concepts/webhooks.md#routing). */
import { matchesPattern } from '../../mail/addresses/address-pattern.ts';

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
