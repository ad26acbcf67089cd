/** IP networks in CIDR notation (RFC 4632, RFC 4291). */
import { BlockList, isIP, isIPv6 } from 'node:net';

const bits = { 4: 32, 6: 128 } as const;

export interface Network {
  readonly address: string;
  readonly prefix: number;
  readonly family: 'ipv4' | 'ipv6';
}

/** An address, or a network such as `192.0.2.0/24`; null for any other text. */
export function parseNetwork(text: string): Network | null {
  const [address = '', prefix, ...rest] = text.split('/');
  const version = isIP(address);
  // A zone names an interface of one machine.
  if ((version !== 4 && version !== 6) || address.includes('%') || rest.length > 0) return null;
  const max = bits[version];
  if (prefix !== undefined && !(/^\d{1,3}$/.test(prefix) && Number(prefix) <= max)) return null;
  return {
    address,
    prefix: prefix === undefined ? max : Number(prefix),
    family: version === 4 ? 'ipv4' : 'ipv6',
  };
}

export function isNetwork(text: string): boolean {
  return parseNetwork(text) !== null;
}

/** Whether an address is in one of the networks. An IPv4 address also counts in its form within IPv6 (`::ffff:…`). */
export function isInNetworks(address: string, networks: readonly string[]): boolean {
  const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
  if (isIP(address) === 0) return false;
  const list = new BlockList();
  for (const text of networks) {
    const network = parseNetwork(text);
    if (network) list.addSubnet(network.address, network.prefix, network.family);
  }
  return list.check(address, family);
}

/** The part of an address that one subscriber has: of IPv6 the first 64 bits (RFC 6177, section 2; RFC 4291, section 2.5.4). */
export function subscriberNetwork(address: string): string {
  if (!isIPv6(address) || address.includes('.')) return address;
  const { hostname } = new URL(`http://[${address.replace(/%.*/, '')}]`);
  const [head = '', tail] = hostname.slice(1, -1).split('::');
  const groups = head.split(':').filter(Boolean);
  const rest = tail === undefined ? [] : tail.split(':').filter(Boolean);
  const zeros = Array.from({ length: 8 - groups.length - rest.length }, () => '0');
  return [...groups, ...zeros, ...rest].slice(0, 4).join(':');
}
