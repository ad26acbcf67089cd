/** Identifiers and tokens of the emulated mailbox providers, reproducible by a seed. */
import { createRandom } from '../anomalies.ts';

export interface RandomText {
  /** Letters, digits, `-` and `_`. */
  token(length: number): string;
  digits(length: number): string;
  hex(length: number): string;
  /** Version 4 in lower case. */
  uuid(): string;
}

const tokenAlphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

export function createRandomText(seed: number): RandomText {
  const random = createRandom(seed);
  const text = (alphabet: string, length: number) =>
    Array.from({ length }, () => alphabet[Math.floor(random() * alphabet.length)]).join('');
  const hex = (length: number) => text('0123456789abcdef', length);
  return {
    token: (length) => text(tokenAlphabet, length),
    // No leading zero, so that the text is also a number of that length.
    digits: (length) => text('123456789', 1) + text('0123456789', length - 1),
    hex,
    uuid: () => `${hex(8)}-${hex(4)}-4${hex(3)}-${text('89ab', 1)}${hex(3)}-${hex(12)}`,
  };
}
