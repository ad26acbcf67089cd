/**
 * Mail loop detection.
 *
 * The service sends no bounces and no automatic replies, so `Auto-Submitted` mail (RFC 3834) is stored like any other.
 */
import type { Header } from '../email.ts';
import { addressKey } from './addresses.ts';

/**
 * Most `Received` fields of a message that is accepted. RFC 5321 6.3 allows relays 100; regular mail with forwarders has
 * about ten.
 */
export const hopsMax = 25;

/** The number of servers a message has passed, by its `Received` fields (RFC 5321 4.4). */
export function countHops(headers: readonly Header[]): number {
  return headers.filter(({ name }) => name.toLowerCase() === 'received').length;
}

/**
 * Whether an email that we sent came back, by a list or a forwarding rule, to an address it was not sent to. Mail between
 * addresses of one workspace is not a loop.
 *
 * @param sentTo envelope recipients of the sent email
 * @param arrivedAt envelope recipients of the received message
 */
export function isOwnMailLoop(sentTo: readonly string[], arrivedAt: readonly string[]): boolean {
  const wanted = new Set(sentTo.map(addressKey));
  return !arrivedAt.some((address) => wanted.has(addressKey(address)));
}
