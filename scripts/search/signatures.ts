/** Signatures of mails, and segments of many of them as rows of bits, as in BitFunnel. A model for `npm run measure:search`. */
import { gramsOf } from './grams.ts';

/** Bits of a column: with its key an item of 2 KB, two write units. */
export const signatureBits = 15_360;
/** Grams of a column at most: about a quarter of its bits. Longer texts have further columns. */
export const gramsOfColumn = 4096;
/** Rows that a query reads of a word at most: each is a request. */
const rowsOfWord = 6;

/** The columns of a text: for each the bits that are set. */
export function columnsOf(folded: string): number[][] {
  const bits = [...gramsOf(folded)].map((gram) => gram % signatureBits);
  const columns: number[][] = [];
  for (let at = 0; at === 0 || at < bits.length; at += gramsOfColumn) {
    columns.push([...new Set(bits.slice(at, at + gramsOfColumn))]);
  }
  return columns;
}

/** A segment: one row for each bit of the signature, with a bit for each column. */
export interface Segment {
  readonly rows: Uint32Array;
  /** 32-bit words of a row. */
  readonly stride: number;
  /** The first column of each mail, and behind the last mail the number of columns. */
  readonly starts: readonly number[];
}

const maskOf = (column: number): number => 1 << (column & 31);

/** @param mails the columns of each */
export function segmentOf(mails: readonly (readonly number[][])[]): Segment {
  const starts = [0];
  for (const columns of mails) starts.push((starts.at(-1) ?? 0) + columns.length);
  const stride = Math.ceil((starts.at(-1) ?? 0) / 32);
  const rows = new Uint32Array(signatureBits * stride);
  for (const [column, bits] of mails.flat().entries()) {
    for (const bit of bits) {
      const at = bit * stride + (column >>> 5);
      rows[at] = (rows[at] ?? 0) | maskOf(column);
    }
  }
  return { rows, stride, starts };
}

/** The rows that a query reads for a word; none for a word without grams, of which every mail is a candidate. */
export function rowsFor(word: string): number[] {
  const bits = [...new Set([...gramsOf(word)].map((gram) => gram % signatureBits))];
  // Spread over the word: neighbours share letters, and say less together.
  const step = Math.max(1, bits.length / rowsOfWord);
  return Array.from(
    { length: Math.min(bits.length, rowsOfWord) },
    (_, at) => bits[Math.floor(at * step)] ?? 0,
  );
}

export const rowsOfQuery = (words: readonly string[]): number[] => [...new Set(words.flatMap(rowsFor))];

/** The mails of a segment in which all of these bits are set, each in any of its columns; in their order. */
export function candidates({ rows, stride, starts }: Segment, bits: readonly number[]): number[] {
  const left = new Uint32Array(stride).fill(0xffffffff);
  const several = starts.flatMap((from, mail) => ((starts[mail + 1] ?? 0) > from + 1 ? [mail] : []));
  for (const bit of bits) {
    const row = rows.slice(bit * stride, (bit + 1) * stride);
    // The first column of a mail stands for all of them.
    for (const mail of several) if (hasAny(row, starts, mail)) setBit(row, starts[mail] ?? 0);
    for (let at = 0; at < stride; at++) left[at] = (left[at] ?? 0) & (row[at] ?? 0);
  }
  return starts.slice(0, -1).flatMap((column, mail) => (isSet(left, column) ? [mail] : []));
}

const isSet = (row: Uint32Array, column: number): boolean =>
  ((row[column >>> 5] ?? 0) & maskOf(column)) !== 0;

function setBit(row: Uint32Array, column: number): void {
  row[column >>> 5] = (row[column >>> 5] ?? 0) | maskOf(column);
}

function hasAny(row: Uint32Array, starts: readonly number[], mail: number): boolean {
  for (let column = starts[mail] ?? 0; column < (starts[mail + 1] ?? 0); column++) {
    if (isSet(row, column)) return true;
  }
  return false;
}
