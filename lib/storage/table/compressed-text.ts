/**
 * Text that is stored compressed where that saves write units, with Brotli: it knows words of text and HTML (RFC 7932,
 * appendix A), which short texts gain by.
 */
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib';
import { bytes, type Field, text } from './codec.ts';

/** Bytes that are not compressed: a KB costs a write unit, however little of it is used. */
export const plainBytesMax = 800;

/** Bytes above which compression is not tried: text shrinks to a fifth, measured with the corpus. */
const compressedBytesMax = 64 * 1024;

/** Up to 5 each step saves much of the size of short texts; from there on only time is lost. */
const params = { [constants.BROTLI_PARAM_QUALITY]: 5 };

/** The compressed form of a text in UTF-8; null where the text is stored as it is. */
export function compress(plain: Uint8Array, bytesMax = compressedBytesMax): Uint8Array | null {
  if (plain.length <= plainBytesMax || plain.length > bytesMax) return null;
  const compressed = brotliCompressSync(plain, { params });
  return compressed.length < plain.length ? compressed : null;
}

/** @throws Error where it is no result of `compress` */
export function decompress(compressed: Uint8Array, bytesMax = compressedBytesMax): string {
  return brotliDecompressSync(compressed, { maxOutputLength: bytesMax }).toString();
}

/** A text that is compressed by its size. */
export const compressedText = compressedTextTo(compressedBytesMax);

/** The same of texts up to another size in UTF-8; longer ones are not compressed. */
export function compressedTextTo(bytesMax: number): Field<string> {
  return {
    read: (stored) => (typeof stored === 'string' ? stored : decompress(bytes.read(stored), bytesMax)),
    write: (value) => {
      const compressed = compress(Buffer.from(value), bytesMax);
      return compressed ? bytes.write(compressed) : text.write(value);
    },
  };
}
