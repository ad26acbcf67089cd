/** Addresses and URLs that webhooks may use (docs/concepts/webhooks.md#addresses-and-redirects). */
import { BlockList, isIP } from 'node:net';
import { isUnder } from '../domains/reserved.ts';
import { isSpecialUse } from '../domains/special-use.ts';

/**
 * IPv4 addresses that are not public (IANA IPv4 Special-Purpose Address Registry): private, loopback, link-local with the
 * metadata services, CGNAT, documentation, benchmarks, the 6to4 relay, multicast and reserved space. 168.63.129.16 is the
 * metadata service of Azure, for a deployment that reaches it through a private connection.
 */
const specialV4 = blockList('ipv4', [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['168.63.129.16', 32],
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
 * IPv6 global unicast (RFC 4291, 2.4). Addresses outside are refused: unspecified, loopback, mapped or translated from
 * IPv4 (`::ffff:…`, `64:ff9b::…`), unique local, link-local and site-local, multicast.
 */
const globalV6 = blockList('ipv6', [['2000::', 3]]);

/** Exceptions within it: protocol assignments with Teredo, documentation (two), and 6to4, which contains an IPv4 address. */
const specialV6 = blockList('ipv6', [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
]);

/** Whether `ip` is a public IP address. False for text that is no address, and for an address with a zone id. */
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

export const urlCharactersMax = 2048;
const httpsPort = 443;
const unprivilegedPortMin = 1024;

/**
 * The URL of an endpoint, or a predicate that says why it is refused. Only the text is checked; the addresses of its host
 * are checked at each attempt.
 *
 * @param options.allowInsecure also allows plain http and loopback addresses (local run)
 */
export function webhookUrl(text: string, options: { allowInsecure: boolean }): URL | string {
  if (text.length > urlCharactersMax) return `must have at most ${urlCharactersMax} characters`;
  const url = URL.parse(text);
  if (url === null) return 'must be an absolute URL';
  return refusal(url, options.allowInsecure) ?? url;
}

/** The host of a URL as an address or a name, without brackets and without a final dot. */
export function hostOf(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
}

function refusal(url: URL, allowInsecure: boolean): string | null {
  if (url.protocol !== 'https:' && !(allowInsecure && url.protocol === 'http:'))
    return 'must be an https URL';
  if (url.username !== '' || url.password !== '') return 'must not carry credentials';
  if (url.hash !== '') return 'must not have a fragment';
  const port = url.port === '' ? httpsPort : Number(url.port);
  // Ports below 1024 belong to other protocols.
  if (!allowInsecure && port !== httpsPort && port < unprivilegedPortMin)
    return `must use port ${httpsPort} or one from ${unprivilegedPortMin} on`;
  return hostRefusal(hostOf(url), allowInsecure);
}

function hostRefusal(host: string, allowInsecure: boolean): string | null {
  // The URL parser normalizes every spelling of an IPv4 address (0x7f.1, 2130706433).
  if (isIP(host) !== 0) {
    const isAllowed = isPublicAddress(host) || (allowInsecure && isLoopbackAddress(host));
    return isAllowed ? null : 'must not point to an address that is not public';
  }
  if (!isHostName(host)) return 'must have a valid host name';
  if (allowInsecure && isUnder('localhost', host)) return null;
  return host.includes('.') && !isSpecialUse(host) ? null : 'must have a public host name';
}

const nameCharactersMax = 253;
/** Underscores are no letters of host names, but names with them resolve and have certificates. */
const label = /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/;

/** Whether DNS can have the name: the URL parser lets empty and over-long labels pass (RFC 1035, 2.3.4; RFC 1123, 2.1). */
function isHostName(host: string): boolean {
  return host.length <= nameCharactersMax && host.split('.').every((part) => label.test(part));
}

function blockList(family: 'ipv4' | 'ipv6', subnets: readonly (readonly [string, number])[]): BlockList {
  const list = new BlockList();
  for (const [network, prefix] of subnets) list.addSubnet(network, prefix, family);
  return list;
}
