/** Text that is stored compressed with Zstandard where that saves write units. */
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { bytes, type Field, text } from './codec.ts';

/** Bytes that are not compressed: a KB costs a write unit, however little of it is used. */
const plainBytesMax = 800;

/** Bytes above which compression is not tried: text shrinks to a fifth, measured with the corpus. */
const compressedBytesMax = 64 * 1024;

/** The compressed form of a text in UTF-8; null where the text is stored as it is. */
export function compress(plain: Uint8Array): Uint8Array | null {
  if (plain.length <= plainBytesMax || plain.length > compressedBytesMax) return null;
  const compressed = zstdCompressSync(plain);
  return compressed.length < plain.length ? compressed : null;
}

/** @throws Error where it is no result of `compress` */
export function decompress(compressed: Uint8Array): string {
  return zstdDecompressSync(compressed, { maxOutputLength: compressedBytesMax }).toString();
}

/** A text that is compressed by its size. Items of earlier versions hold it as it is. */
export const compressedText: Field<string> = {
  read: (stored) => (typeof stored === 'string' ? stored : decompress(bytes.read(stored))),
  write: (value) => {
    const compressed = compress(Buffer.from(value));
    return compressed ? bytes.write(compressed) : text.write(value);
  },
};
