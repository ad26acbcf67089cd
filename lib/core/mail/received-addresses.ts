/** The addresses that arrive in headers, read tolerantly (RFC 5322 3.4). */
import { addressParser } from 'postal-mime';
import { type Address, asciiDomain, normalizeAddress } from './addresses.ts';
import { recodeWords } from './charsets.ts';

/**
 * The addresses of a raw header value (`From`, `To`, …): names decoded (RFC 2047), groups flattened, entries that hold
 * no address left out. Nothing is refused for its form: a reply must be able to name what came in.
 */
export function parseAddressList(headerValue: string): Address[] {
  return readMailboxes(headerValue).flatMap(({ name, address }) =>
    /^[^@]+@[^@]/.test(address) || normalizeAddress(address) !== null ? [received(name, address)] : [],
  );
}

/**
 * The author of a raw `From` or `Sender` value: its first address, else the one word it is (`MAILER-DAEMON`) as an address
 * without a domain, so that a message from a careless machine still says who wrote it. Null when there is nothing.
 */
export function parseAuthor(headerValue: string): Address | null {
  const [author] = parseAddressList(headerValue);
  if (author !== undefined) return author;
  const [entry] = readMailboxes(headerValue);
  const word = entry === undefined ? '' : entry.address || entry.name;
  return word === '' || /\s/.test(word) ? null : { name: null, address: word };
}

function readMailboxes(headerValue: string): { name: string; address: string }[] {
  return addressParser(recodeWords(headerValue), { flatten: true }).map(({ name, address }) => ({
    name: clean(name),
    address: clean(address ?? '').replace(/\s+/g, ''),
  }));
}

function received(name: string, address: string): Address {
  const at = address.lastIndexOf('@');
  const domain = address.slice(at + 1);
  return {
    name: name === '' || name === address ? null : name,
    address: `${address.slice(0, at)}@${asciiDomain(domain) ?? domain.toLowerCase()}`,
  };
}

function clean(text: string): string {
  return text.replace(/\p{Cc}+/gu, ' ').trim();
}
