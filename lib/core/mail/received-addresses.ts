/** Addresses in received headers, parsed tolerantly (RFC 5322 3.4). */
import { addressParser } from 'postal-mime';
import { type Address, asciiDomain, normalizeAddress, splitAddress } from './addresses.ts';
import { recodeEncodedWords } from './charsets.ts';

/**
 * The addresses in a raw header value (`From`, `To`, …): names decoded (RFC 2047), groups flattened, entries without an
 * address left out.
 */
export function parseAddressList(headerValue: string): Address[] {
  return readMailboxes(headerValue).flatMap(({ name, address }) =>
    /^[^@]+@[^@]/.test(address) || normalizeAddress(address) !== null ? [received(name, address)] : [],
  );
}

/**
 * The author in a raw `From` or `Sender` value: the first address, else its only word (`MAILER-DAEMON`) as an address
 * without a domain. Null if there is neither.
 */
export function parseAuthor(headerValue: string): Address | null {
  const [author] = parseAddressList(headerValue);
  if (author !== undefined) return author;
  const [entry] = readMailboxes(headerValue);
  const word = entry === undefined ? '' : entry.address || entry.name;
  return word === '' || /\s/.test(word) ? null : { name: null, address: word };
}

function readMailboxes(headerValue: string): { name: string; address: string }[] {
  return addressParser(recodeEncodedWords(headerValue), { flatten: true }).map(({ name, address }) => ({
    name: clean(name),
    address: clean(address ?? '').replace(/\s+/g, ''),
  }));
}

function received(name: string, address: string): Address {
  const { local, host } = splitAddress(address);
  return {
    name: name === '' || name === address ? null : name,
    address: `${local}@${asciiDomain(host) ?? host.toLowerCase()}`,
  };
}

function clean(text: string): string {
  return text.replace(/\p{Cc}+/gu, ' ').trim();
}
