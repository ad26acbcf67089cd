/** Charset detection and repair: undeclared, mislabelled, or unknown to TextDecoder. */
import { isAscii, isUtf8 } from 'node:buffer';
import { TextDecoder } from 'node:util';

/** A declared charset is searched in the first bytes: the header and the headers of the first parts. */
const hintBytes = 64 * 1024;
/** A text is judged as misread by its first characters. */
const sampleCharacters = 256 * 1024;
const utf16 = new TextDecoder('utf-16be');
const declared = /(?:charset\s*=\s*"?|=\?)([A-Za-z0-9][\w.:-]{2,30})/gi;
const unicodeLabel = /^(?:utf-?8|us-ascii|ascii|unicode-1-1-utf-7|utf-7|unknown-8bit)$/i;
const utf7Label = /^content-type:.{0,200}(?:\r?\n[ \t].{0,200})?charset\s*=\s*"?(?:unicode-1-1-)?utf-7\b/im;
const asciiLabel = /charset\s*=\s*"?us-ascii\b/i;
const utf7Name = /^(?:unicode-1-1-)?utf-7$/i;
const namingHeader = /^content-(?:type|disposition):.*(?:\r?\n[ \t].*)*/gim;
const encodedWord = /=\?([^?\s]+)\?([bq])\?([^?]*)\?=/gi;

/**
 * The charset for bytes that are not UTF-8 and have no declaration: the first legacy charset that the message names near
 * its top, else windows-1252, which decodes any byte.
 */
export function legacyCharset(raw: Uint8Array): string {
  for (const [, label = ''] of latin1(raw.subarray(0, hintBytes)).matchAll(declared)) {
    if (!unicodeLabel.test(label) && decoderOf(label) !== null) return label.toLowerCase();
  }
  return 'windows-1252';
}

/** Decodes header bytes: UTF-8 if valid (RFC 6532), ISO-2022-JP if it has escape sequences, else `fallback`. */
export function decodeBytes(bytes: Uint8Array, fallback: string): string {
  if (isUtf8(bytes)) {
    return repairEscapes(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8'));
  }
  return (decoderOf(fallback) ?? new TextDecoder('windows-1252')).decode(bytes);
}

/** Decodes ASCII text that has ISO-2022-JP escape sequences (RFC 1468); returns any other text unchanged. */
export function repairEscapes(text: string): string {
  const isPlain = !/[^\p{ASCII}]/u.test(text);
  const shifts = text.includes('\u001b$') || text.includes('\u001b(');
  return isPlain && shifts ? new TextDecoder('iso-2022-jp').decode(Buffer.from(text)) : text;
}

/** Whether a part of the message declares UTF-7, which TextDecoder does not support. */
export function claimsUtf7(raw: Uint8Array): boolean {
  return utf7Label.test(latin1(raw.subarray(0, hintBytes)));
}

/** Decodes UTF-7 that was read as ASCII (RFC 2152). Invalid shift sequences are kept. */
export function decodeUtf7(text: string): string {
  return text.replace(/\+([A-Za-z0-9+/]*)-?/g, (whole, base64: string) => {
    if (base64 === '') return whole === '+-' ? '+' : whole;
    const bytes = Buffer.from(base64, 'base64');
    return bytes.length < 2 ? whole : utf16.decode(bytes.subarray(0, bytes.length & ~1));
  });
}

/**
 * Rewrites encoded words that an RFC 2047 decoder reads wrongly as UTF-8: those in UTF-7, and those with unencoded
 * 8-bit characters, which `decodeBytes` has already decoded.
 */
export function recodeEncodedWords(headerValue: string): string {
  return headerValue.replace(encodedWord, (word, label: string, encoding: string, payload: string) => {
    if (/[^\p{ASCII}]/u.test(payload)) return `=?utf-8?${encoding}?${payload}?=`;
    if (!utf7Name.test(label)) return word;
    const ascii = /b/i.test(encoding) ? Buffer.from(payload, 'base64').toString('latin1') : decodeQ(payload);
    return `=?utf-8?b?${Buffer.from(decodeUtf7(ascii)).toString('base64')}?=`;
  });
}

/** Whether a part of the message declares US-ASCII. */
export function claimsAscii(raw: Uint8Array): boolean {
  return asciiLabel.test(latin1(raw.subarray(0, hintBytes)));
}

/** Whether at least half of the non-ASCII characters failed to decode: a wrong charset, not a stray byte. */
export function isMisread(text: string): boolean {
  const sample = text.slice(0, sampleCharacters);
  const failed = count(sample, /\ufffd/g);
  return failed > 0 && failed * 2 >= count(sample, /[^\p{ASCII}]/gu);
}

/**
 * Charsets to try for misread text, likeliest first: UTF-8, the charset that the message names, and for ISO-2022-JP, a
 * 7-bit charset, its 8-bit relatives.
 */
export function candidateCharsets(legacy: string): string[] {
  return ['utf-8', legacy, ...(legacy === 'iso-2022-jp' ? ['euc-jp', 'shift_jis'] : [])];
}

/** The message with unencoded 8-bit filenames in part headers converted to UTF-8. */
export function recodeFilenames(raw: Uint8Array, charset: string): Uint8Array {
  if (isAscii(raw) || isUtf8(raw)) return raw;
  const recode = (header: string) =>
    Buffer.from(decodeBytes(Buffer.from(header, 'latin1'), charset)).toString('latin1');
  return Buffer.from(latin1(raw).replace(namingHeader, recode), 'latin1');
}

/** The `Q` encoding of ASCII text (RFC 2047 4.2). */
function decodeQ(payload: string): string {
  return payload
    .replace(/_/g, ' ')
    .replace(/=([0-9A-F]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}

function decoderOf(label: string): TextDecoder | null {
  try {
    return new TextDecoder(label);
  } catch {
    // Unknown label: the caller has a fallback.
    return null;
  }
}

function count(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}

function latin1(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
}
