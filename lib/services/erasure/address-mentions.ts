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
  const locals = oneOf([local, encodeURIComponent(local)]);
  const hosts = oneOf([host, domainToUnicode(host)]);
  // Not a part of a longer address; but after a percent-encoded character, as in a link.
  const begin = '(?:(?<![\\p{L}\\p{N}._+-])|(?<=%[0-9a-f]{2}))';
  const end = '(?![\\p{L}\\p{N}_-]|\\.[\\p{L}\\p{N}])';
  const source = `${begin}${locals}(?:@|%40)${hosts}${end}`;
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
