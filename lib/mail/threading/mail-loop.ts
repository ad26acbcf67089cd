/**
 * Mail loop detection.
 *
 * The service sends no bounces and no automatic replies, so `Auto-Submitted` mail (RFC 3834) is stored like any other.
 */

import { addressKey } from '../addresses/addresses.ts';
import type { Header } from '../message/headers.ts';

/**
 * Most `Received` fields of a message that is accepted. RFC 5321 6.3 allows relays 100; regular mail with forwarders has
 * about ten.
 */
export const hopsMax = 25;

/** The number of servers a message has passed, by its `Received` fields (RFC 5321 4.4). */
export function countHops(headers: readonly Header[]): number {
  return headers.filter(({ name }) => name.toLowerCase() === 'received').length;
}

/** An email as its recipients know it. */
export interface MailedTo {
  /** The address of its From; of a received message also those of its Reply-To. */
  readonly authors: readonly string[];
  /** Envelope recipients. */
  readonly recipients: readonly string[];
}

/**
 * Whether a received message with the Message-ID of an email that we sent is that email, which came back, by a list or a
 * forwarding rule, to an address it was not sent to. Mail between addresses of one workspace is not a loop, and another author
 * only used the id again. Lists that put their own address into From have the author in Reply-To (RFC 7960).
 */
export function isOwnMailLoop(sent: MailedTo, received: MailedTo): boolean {
  return shareAddress(sent.authors, received.authors) && !shareAddress(sent.recipients, received.recipients);
}

function shareAddress(some: readonly string[], others: readonly string[]): boolean {
  const keys = new Set(some.map(addressKey));
  return others.some((address) => keys.has(addressKey(address)));
}
