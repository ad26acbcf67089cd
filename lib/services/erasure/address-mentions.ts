/** Whether stored values name an address, in the spellings that mail and its links have. */
import { domainToUnicode } from 'node:url';
import { splitAddress } from '../../mail/addresses/addresses.ts';

export interface AddressMentions {
  /** Whether a text in a value, however deep, names the address. Bytes are not looked into. */
  readonly isIn: (value: unknown) => boolean;
  /** A text with `by` in the place of the address. */
  readonly replacedIn: (text: string, by: string) => string;
}

/** @param address as `addressKey` makes it */
export function mentionsOf(address: string): AddressMentions {
  const { local, host } = splitAddress(address);
  const unicodeHost = domainToUnicode(host);
  const locals = oneOf([local, encodeURIComponent(local), `"${local}"`]);
  const hosts = oneOf([host, unicodeHost, encodeURIComponent(unicodeHost)]);
  // Not a part of a longer address; but after a percent-encoded character, as in a link.
  const begin = '(?:(?<![\\p{L}\\p{N}._+-])|(?<=%[0-9a-f]{2}))';
  const end = '(?![\\p{L}\\p{N}_-]|\\.[\\p{L}\\p{N}])';
  // As it is, in a link, and in HTML, where a program hides it from harvesters.
  const at = '(?:@|%40|&#0*64;|&#x0*40;|&commat;)';
  const source = `${begin}${locals}${at}${hosts}${end}`;
  const first = new RegExp(source, 'iu');
  const isIn = (value: unknown): boolean => {
    if (typeof value === 'string') return first.test(value);
    if (value === null || typeof value !== 'object' || value instanceof Uint8Array) return false;
    return (value instanceof Set ? [...value] : Object.values(value)).some(isIn);
  };
  return { isIn, replacedIn: (text, by) => text.replace(new RegExp(source, 'giu'), () => by) };
}

/** A pattern for any of these texts. */
const oneOf = (texts: readonly string[]): string =>
  `(?:${[...new Set(texts)].filter(Boolean).map(escaped).join('|')})`;

const escaped = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
