/** Delivery outcomes by recipient: SES's mailbox simulator, and labels at other domains (`anna+bounce@example.test`). */

export type Outcome =
  | 'delivered'
  | 'bounce'
  | 'soft-bounce'
  | 'suppressed'
  | 'complaint'
  | 'out-of-office'
  | 'delay'
  | 'reject';

const simulatorDomain = 'simulator.amazonses.com';

const simulated: Readonly<Record<string, Outcome>> = {
  success: 'delivered',
  bounce: 'bounce',
  complaint: 'complaint',
  ooto: 'out-of-office',
  suppressionlist: 'suppressed',
};

const labelled: Readonly<Record<string, Outcome>> = {
  bounce: 'bounce',
  softbounce: 'soft-bounce',
  complaint: 'complaint',
  delay: 'delay',
  reject: 'reject',
};

/** The simulator reads the local part before a label (`bounce+x@simulator…`), other domains the last label. */
export function outcomeOf(address: string): Outcome {
  const local = localOf(address).toLowerCase();
  if (isSimulator(address)) return simulated[local.split('+')[0] ?? ''] ?? 'delivered';
  return (local.includes('+') ? labelled[local.slice(local.lastIndexOf('+') + 1)] : undefined) ?? 'delivered';
}

/** Whether an address is of the mailbox simulator, which also accepts mail from the sandbox. */
export function isSimulator(address: string): boolean {
  return domainOf(address) === simulatorDomain;
}

/** The domain of an address in lower case; empty: none. */
export function domainOf(address: string): string {
  const at = address.lastIndexOf('@');
  return at < 0 ? '' : address.slice(at + 1).toLowerCase();
}

function localOf(address: string): string {
  return address.slice(0, Math.max(0, address.lastIndexOf('@')));
}

/** Groups addresses by domain. */
export function byDomain(addresses: readonly string[]): ReadonlyMap<string, readonly string[]> {
  return Map.groupBy(addresses, domainOf);
}
