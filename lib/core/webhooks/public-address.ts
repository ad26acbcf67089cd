/** Which addresses and URLs a webhook may go to (interface, "Events", rule 6; design, invariant 7). */
import { BlockList, isIP } from 'node:net';
import { isUnder } from '../domains/reserved.ts';
import { isSpecialUse } from '../domains/special-use.ts';

/**
 * Everything in IPv4 that is not the public internet (IANA special-purpose registry): private, loopback, link-local
 * with the metadata services, CGNAT, documentation, benchmarks, the 6to4 relay, multicast and reserved space.
 */
const specialV4 = blockList('ipv4', [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
]);

/**
 * All of IPv6 that is handed out for public use. What lies outside is thereby refused: unspecified, loopback,
 * addresses mapped or translated from IPv4 (`::ffff:…`, `64:ff9b::…`), unique local, link- and site-local, multicast.
 */
const globalV6 = blockList('ipv6', [['2000::', 3]]);

/** Inside of it: protocol assignments with Teredo, documentation (two), and 6to4, which carries an IPv4 address. */
const specialV6 = blockList('ipv6', [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
]);

/** Whether an IP address is one of the public internet. Text that is no address is not, nor is one with a zone id. */
export function isPublicAddress(ip: string): boolean {
  if (ip.includes('%')) return false;
  switch (isIP(ip)) {
    case 4:
      return !specialV4.check(ip, 'ipv4');
    case 6:
      return globalV6.check(ip, 'ipv6') && !specialV6.check(ip, 'ipv6');
    default:
      return false;
  }
}

/** Whether an IP address is this machine's own. */
export function isLoopbackAddress(ip: string): boolean {
  return isIP(ip) === 4 ? ip.startsWith('127.') : ip === '::1';
}

const urlCharactersMax = 2048;
const httpsPort = 443;
const unprivilegedPortMin = 1024;

/**
 * The URL when webhooks may be sent to it as far as its text tells, else a sentence that says why not. What its host
 * resolves to is checked at each attempt.
 *
 * @param options.allowInsecure lets plain http and this machine through (local run)
 */
export function webhookUrl(text: string, options: { allowInsecure: boolean }): URL | string {
  if (text.length > urlCharactersMax) return `must have at most ${urlCharactersMax} characters`;
  const url = URL.parse(text);
  if (url === null) return 'must be an absolute URL';
  return refusal(url, options.allowInsecure) ?? url;
}

/** The host of a URL as an address or a name: no brackets, no final dot. */
export function hostOf(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
}

function refusal(url: URL, allowInsecure: boolean): string | null {
  if (url.protocol !== 'https:' && !(allowInsecure && url.protocol === 'http:'))
    return 'must be an https URL';
  if (url.username !== '' || url.password !== '') return 'must not carry credentials';
  if (url.hash !== '') return 'must not have a fragment';
  const port = url.port === '' ? httpsPort : Number(url.port);
  // Ports below belong to other protocols; none of them is spoken to, not even badly.
  if (!allowInsecure && port !== httpsPort && port < unprivilegedPortMin)
    return `must use port ${httpsPort} or one from ${unprivilegedPortMin} on`;
  return hostRefusal(hostOf(url), allowInsecure);
}

function hostRefusal(host: string, allowInsecure: boolean): string | null {
  // The URL parser has turned every spelling of an IPv4 address (0x7f.1, 2130706433) into the usual one.
  if (isIP(host) !== 0) {
    const isAllowed = isPublicAddress(host) || (allowInsecure && isLoopbackAddress(host));
    return isAllowed ? null : 'must not point to an address that is not public';
  }
  if (allowInsecure && isUnder('localhost', host)) return null;
  return host.includes('.') && !isSpecialUse(host) ? null : 'must have a public host name';
}

function blockList(family: 'ipv4' | 'ipv6', subnets: readonly (readonly [string, number])[]): BlockList {
  const list = new BlockList();
  for (const [network, prefix] of subnets) list.addSubnet(network, prefix, family);
  return list;
}
