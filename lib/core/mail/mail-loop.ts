/**
 * Mail that goes in circles, and what is dropped of it.
 *
 * We never answer mail by ourselves: no bounce, no automatic reply. So mail that is marked as automatic (`Auto-Submitted`,
 * RFC 3834) closes no circle here; it is stored, and its category tells whoever would answer it that no person wrote it.
 */
import type { Header } from '../email.ts';
import { addressKey } from './addresses.ts';

/**
 * Servers a message may have passed. RFC 5321 6.3 lets relays go to 100; SES and the forwarders around it add a handful,
 * and what has passed 25 is circling between forwarding rules.
 */
export const hopsMax = 25;

/** How many servers a message has passed, by its trace (RFC 5321 4.4). */
export function hopsOf(headers: readonly Header[]): number {
  return headers.filter(({ name }) => name.toLowerCase() === 'received').length;
}

/**
 * Whether an email of ours has come back, by a list or a forwarding rule, to an address it was not sent to. Mail between
 * addresses of one workspace is no such return.
 *
 * @param sentTo the envelope the email was handed over with
 * @param arrivedAt the envelope it came in with
 */
export function isOwnMailLoop(sentTo: readonly string[], arrivedAt: readonly string[]): boolean {
  const wanted = new Set(sentTo.map(addressKey));
  return !arrivedAt.some((address) => wanted.has(addressKey(address)));
}
