/** Addresses in received headers, parsed tolerantly (RFC 5322 3.4). */
import { addressParser } from 'postal-mime';
import { type Address, asciiDomain, normalizeAddress, splitAddress } from '../addresses/addresses.ts';
import { recodeEncodedWords } from '../text/charsets.ts';
import { cutBytes, fieldLimits } from './field-limits.ts';

/**
 * The addresses in a raw header value (`From`, `To`, …): names decoded (RFC 2047), groups flattened, entries without an
 * address, or with one over the limit, left out.
 */
export function parseAddressList(headerValue: string): Address[] {
  return readMailboxes(headerValue)
    .filter(({ address }) => /^[^@]+@[^@]/.test(address) || normalizeAddress(address) !== null)
    .filter(({ address }) => Buffer.byteLength(address) <= fieldLimits.addressBytes)
    .slice(0, fieldLimits.addresses)
    .map(({ name, address }) => received(name, address));
}

/**
 * The author in a raw `From` or `Sender` value: the first address, else a word (`MAILER-DAEMON`, `Cron Daemon <root>`) as
 * an address without a domain. Null if there is neither.
 */
export function parseAuthor(headerValue: string): Address | null {
  const [author] = parseAddressList(headerValue);
  if (author !== undefined) return author;
  const [entry] = readMailboxes(headerValue);
  if (entry === undefined) return null;
  const word = entry.address || entry.name;
  if (word === '' || /\s/.test(word)) return null;
  return {
    name: entry.address === '' ? null : cutName(entry.name),
    address: cutBytes(word, fieldLimits.addressBytes),
  };
}

/** A longer field has more addresses, or longer ones, than are kept. */
const fieldCharactersMax = 256 * 1024;

/** Hosts on the way to a mailbox, which are to be ignored (RFC 5322 4.4: obs-route). */
const routes = /<\s*@[^<>:"]+:/g;

function readMailboxes(headerValue: string): { name: string; address: string }[] {
  const value = recodeEncodedWords(headerValue.slice(0, fieldCharactersMax)).replace(routes, '<');
  return addressParser(value, { flatten: true }).map(({ name, address }) => ({
    name: clean(name),
    address: clean(address ?? '').replace(/\s+/g, ''),
  }));
}

function received(name: string, address: string): Address {
  const { local, host } = splitAddress(address);
  return {
    name: name === address ? null : cutName(name),
    address: `${local}@${asciiDomain(host) ?? host.toLowerCase()}`,
  };
}

function cutName(name: string): string | null {
  return cutBytes(name, fieldLimits.displayNameBytes).trim() || null;
}

function clean(text: string): string {
  return text.replace(/\p{Cc}+/gu, ' ').trim();
}
