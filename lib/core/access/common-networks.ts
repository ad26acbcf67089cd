/** What lists of IP networks have in common. Apart from `ip-networks.ts`, which every request loads. */
import { isInNetworks, type Network, parseNetwork } from './ip-networks.ts';

/** Bits of a network that are fixed, where IPv4 is a part of IPv6 (`::ffff:0:0/96`). */
const fixedBits = ({ prefix, family }: Network): number => (family === 'ipv4' ? prefix + 96 : prefix);

/** What two lists of networks have in common: of two that overlap, one contains the other. */
export function commonNetworks(some: readonly string[], others: readonly string[]): string[] {
  const within = (inner: string, outer: string): boolean => {
    const [a, b] = [parseNetwork(inner), parseNetwork(outer)];
    return a !== null && b !== null && fixedBits(a) >= fixedBits(b) && isInNetworks(a.address, [outer]);
  };
  const narrower = some.flatMap((one) => [
    ...(others.some((other) => within(one, other)) ? [one] : []),
    ...others.filter((other) => within(other, one)),
  ]);
  return [...new Set(narrower)];
}
