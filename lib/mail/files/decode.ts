/** Decoding of text files: by byte order mark, declared charset, or detection. */
import { isUtf8 } from 'node:buffer';
import { TextDecoder } from 'node:util';
import chardet from 'chardet';
import { repairEscapes } from '../text/charsets.ts';
import { isWideText } from './detect.ts';
import { bufferOf } from './reader.ts';

/** Charset detection reads this many bytes. */
const sampleBytes = 256 * 1024;

/**
 * The text, without a byte order mark or NULs, with LF line ends.
 *
 * @param declared charset that the file declares; valid UTF-8 takes precedence
 */
export function decodeFile(bytes: Uint8Array, declared: string | null = null): string {
  return readAs(bytes, declared).replace(/\r\n?/g, '\n').replaceAll('\0', '');
}

function readAs(bytes: Uint8Array, declared: string | null): string {
  const marked = markedCharset(bytes);
  if (marked) return new TextDecoder(marked).decode(bytes);
  if (isUtf8(bytes) && !isWideText(bytes.subarray(0, sampleBytes))) {
    return repairEscapes(bufferOf(bytes).toString('utf8'));
  }
  const decoder = decoderOf(declared) ?? decoderOf(guessCharset(bytes)) ?? new TextDecoder('windows-1252');
  return decoder.decode(bytes);
}

function markedCharset(bytes: Uint8Array): string | null {
  const [first, second, third] = bytes;
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf-8';
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  return first === 0xfe && second === 0xff ? 'utf-16be' : null;
}

function guessCharset(bytes: Uint8Array): string | null {
  const sample = bytes.subarray(0, sampleBytes);
  if (isWideText(sample)) return sample[0] === 0 ? 'utf-16be' : 'utf-16le';
  return chardet.detect(sample);
}

function decoderOf(label: string | null): TextDecoder | null {
  if (!label) return null;
  try {
    return new TextDecoder(label);
  } catch {
    // Unknown label: the caller has a fallback.
    return null;
  }
}
