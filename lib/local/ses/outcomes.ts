/** What becomes of mail to an address: SES's mailbox simulator, and the same by label at any domain (`anna+bounce@example.test`). */

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

/** The simulator reads what stands before a label (`bounce+x@simulator…`), every other domain the last label itself. */
export function outcomeOf(address: string): Outcome {
  const local = localOf(address).toLowerCase();
  if (isSimulator(address)) return simulated[local.split('+')[0] ?? ''] ?? 'delivered';
  return (local.includes('+') ? labelled[local.slice(local.lastIndexOf('+') + 1)] : undefined) ?? 'delivered';
}

/** The simulator takes mail from everyone, the sandbox included. */
export function isSimulator(address: string): boolean {
  return domainOf(address) === simulatorDomain;
}

/** The domain of an address in lower case; empty where it has none. */
export function domainOf(address: string): string {
  const at = address.lastIndexOf('@');
  return at < 0 ? '' : address.slice(at + 1).toLowerCase();
}

function localOf(address: string): string {
  return address.slice(0, Math.max(0, address.lastIndexOf('@')));
}

/** The addresses by domain, in the order of their first address. */
export function byDomain(addresses: readonly string[]): ReadonlyMap<string, readonly string[]> {
  return Map.groupBy(addresses, domainOf);
}
