/** Decoding of text files: by byte order mark, declared charset, or by what their words become. */
import { isUtf8 } from 'node:buffer';
import { repairEscapes } from '../text/charsets.ts';
import { bufferOf } from '../text/octets.ts';
import { fileDecoderOf } from './charsets/dos.ts';
import { type CharsetHint, guessCharset } from './charsets/guess.ts';
import { wideCharset } from './detect.ts';

/** Charset detection reads this many bytes. */
const sampleBytes = 256 * 1024;

interface DecodedText {
  /** Without a byte order mark or NULs, with LF line ends. */
  readonly text: string;
  /** Sentences on what may be wrong with it. */
  readonly warnings: readonly string[];
}

/**
 * The text of markup that may declare its charset.
 *
 * @param declared charset that the file declares; valid UTF-8 takes precedence. A Unicode charset that the bytes are not
 *   counts as none
 */
export function decodeMarkup(
  bytes: Uint8Array,
  declared: string | null = null,
  hint: CharsetHint = {},
): DecodedText {
  const isOpen = declared !== null && !/^u(?:tf|cs)/i.test(declared) && knownCharset(bytes) === null;
  const decoder = isOpen ? fileDecoderOf(declared) : null;
  return decoder ? { text: tidy(decoder.decode(bytes)), warnings: [] } : decodeTextFile(bytes, hint);
}

/** The text of `decodeMarkup`. */
export function decodeFile(bytes: Uint8Array, declared: string | null = null): string {
  return decodeMarkup(bytes, declared).text;
}

/** The text of a file that declares no charset. */
export function decodeTextFile(bytes: Uint8Array, hint: CharsetHint = {}): DecodedText {
  const known = knownCharset(bytes);
  const { charset, rival } = known === null ? guessCharset(bytes, hint) : { charset: known, rival: null };
  const decoded = fileDecoderOf(charset)?.decode(bytes) ?? '';
  const text = tidy(charset === 'utf-8' ? repairEscapes(decoded) : decoded);
  const broken = text.split('\ufffd').length - (bytesOfReplacement(bytes, charset) + 1);
  return {
    text,
    warnings: [
      ...(rival ? [`The file does not say its charset: read as ${charset}, but it may be ${rival}.`] : []),
      ...(broken > 0 ? [`Bytes that are not ${charset} are shown as \ufffd (${broken}).`] : []),
    ],
  };
}

function tidy(text: string): string {
  return text.replace(/\r\n?/g, '\n').replaceAll('\0', '');
}

/** How often the file itself has a replacement character. */
function bytesOfReplacement(bytes: Uint8Array, charset: string): number {
  return charset === 'utf-8' ? bufferOf(bytes).toString('latin1').split('\u00ef\u00bf\u00bd').length - 1 : 0;
}

/** The charset by a byte order mark, by the zeros of UTF-16, or because the bytes are valid UTF-8; null for others. */
function knownCharset(bytes: Uint8Array): string | null {
  const [first, second, third] = bytes;
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf-8';
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  const wide = wideCharset(bytes.subarray(0, sampleBytes));
  return wide ?? (isUtf8(bytes) ? 'utf-8' : null);
}
