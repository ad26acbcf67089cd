/** Hostile text for any field of a message, as a string of octets (`latin1`). */
import type { Random } from '../random.ts';

/** UTF-8 octets, one character each. */
export function octets(text: string): string {
  return Buffer.from(text, 'utf8').toString('latin1');
}

/** Repeated until the wanted length is reached. */
const units = [
  'a',
  ' ',
  '\t',
  '<',
  '>',
  '"',
  "'",
  '\\',
  '(',
  ')',
  '((',
  ',',
  ';',
  ':',
  '@',
  '.',
  '=',
  '%',
  '&',
  '\0',
  '\x01',
  '\x1b',
  '\x7f',
  '\x80',
  '\xe9',
  '\xff',
  octets('é'),
  octets('😀'),
  octets('\u202e'),
  octets('\u200b'),
  octets('\ud7ff\ufffe'),
  '\xed\xa0\x80',
  '\r',
  '\n',
  '\r\n ',
  '\r\n\t',
  'a\r\n ',
  '<a@b.test>',
  '<a@b.test',
  '<a@b.test> ',
  'a@b.test, ',
  '"a" <a@b.test>, ',
  'a: b@c.test;, ',
  '\\"',
  '\\\\',
  '=?',
  '=?utf-8?q?',
  '=?utf-8?q?=00?= ',
  '=?utf-8?q?=0D=0A?= ',
  '=?utf-8?b?w6k=?= ',
  '=?utf-8?b?w6k=?==?utf-8?b?w6k=?=',
  '=?iso-2022-jp?b?GyRC?= ',
  '=?x-unknown?q?a?= ',
  "utf-8''%",
  '%00',
  '%E2%80%AE',
  '../',
  '$&',
  '__proto__',
  '<script>',
  '&#0;',
  '&amp;',
  '{{',
  '${',
  '\u0000'.repeat(3),
] as const;

/** The text of one unit, or of several in turn, cut at `length` octets. */
export function hostileText(random: Random, length: number): string {
  const kinds = random.below(3) === 0 ? 1 + random.below(6) : 1;
  const picked = Array.from({ length: kinds }, () => random.pick(units)).join('');
  return repeated(picked, length);
}

export function repeated(unit: string, length: number): string {
  return unit.repeat(Math.ceil(length / unit.length)).slice(0, length);
}

/** A length from nothing to about a megabyte, most of them small, many of them at a limit. */
export function hostileLength(random: Random): number {
  const limits = [0, 1, 2, 75, 76, 77, 200, 255, 256, 320, 321, 998, 999, 1000, 1024, 2048] as const;
  switch (random.below(12)) {
    case 0:
      return 10_000 + random.below(100_000);
    case 1:
      return 100_000 + random.below(200_000);
    case 2:
      return random.below(3) === 0 ? 1_000_000 + random.below(500_000) : random.below(8_192);
    default:
      return random.below(2) === 0 ? random.pick(limits) : random.below(3_000);
  }
}
