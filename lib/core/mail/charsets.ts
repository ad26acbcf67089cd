/** Character sets as mail has them: undeclared, mislabelled, or older than what a TextDecoder knows. */
import { isAscii, isUtf8 } from 'node:buffer';
import { TextDecoder } from 'node:util';

/** How far into a message a declared charset is looked for: the header and the first parts' headers. */
const hintOctets = 64 * 1024;
/** How much of a text is looked at to see whether it was misread. */
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
 * The charset to try where bytes are not UTF-8 and nothing says what they are: the first legacy one the message names
 * anywhere near its top, else windows-1252, which decodes everything.
 */
export function legacyCharset(raw: Uint8Array): string {
  for (const [, label = ''] of latin1(raw.subarray(0, hintOctets)).matchAll(declared)) {
    if (!unicodeLabel.test(label) && decoderOf(label) !== null) return label.toLowerCase();
  }
  return 'windows-1252';
}

/** Header bytes as text: UTF-8 where valid (RFC 6532), bare ISO-2022-JP where it escapes, else `fallback`. */
export function decodeBytes(bytes: Uint8Array, fallback: string): string {
  if (isUtf8(bytes)) {
    return repairEscapes(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8'));
  }
  return (decoderOf(fallback) ?? new TextDecoder('windows-1252')).decode(bytes);
}

/** Text that was read as ASCII although it shifts into ISO-2022-JP (RFC 1468), read again as that. */
export function repairEscapes(text: string): string {
  const isPlain = !/[^\p{ASCII}]/u.test(text);
  const shifts = text.includes('\u001b$') || text.includes('\u001b(');
  return isPlain && shifts ? new TextDecoder('iso-2022-jp').decode(Buffer.from(text)) : text;
}

/** True when a part of the message claims UTF-7, which no TextDecoder reads. */
export function claimsUtf7(raw: Uint8Array): boolean {
  return utf7Label.test(latin1(raw.subarray(0, hintOctets)));
}

/** UTF-7 that was read as ASCII, as text (RFC 2152). A shift sequence that decodes to nothing stays as it is. */
export function decodeUtf7(text: string): string {
  return text.replace(/\+([A-Za-z0-9+/]*)-?/g, (whole, base64: string) => {
    if (base64 === '') return whole === '+-' ? '+' : whole;
    const bytes = Buffer.from(base64, 'base64');
    return bytes.length < 2 ? whole : utf16.decode(bytes.subarray(0, bytes.length & ~1));
  });
}

/**
 * Encoded words that a decoder of RFC 2047 reads wrongly, written again in UTF-8: those in UTF-7, and those that hold
 * bare 8-bit octets, which `decodeBytes` has already made text.
 */
export function recodeWords(headerValue: string): string {
  return headerValue.replace(encodedWord, (word, label: string, encoding: string, payload: string) => {
    if (/[^\p{ASCII}]/u.test(payload)) return `=?utf-8?${encoding}?${payload}?=`;
    if (!utf7Name.test(label)) return word;
    const ascii = /b/i.test(encoding) ? Buffer.from(payload, 'base64').toString('latin1') : decodeQ(payload);
    return `=?utf-8?b?${Buffer.from(decodeUtf7(ascii)).toString('base64')}?=`;
  });
}

/** True when a part of the message claims to be plain ASCII. */
export function claimsAscii(raw: Uint8Array): boolean {
  return asciiLabel.test(latin1(raw.subarray(0, hintOctets)));
}

/** True when more of the text failed to decode than succeeded: not a stray octet in it, but the wrong charset for it. */
export function isMisread(text: string): boolean {
  const sample = text.slice(0, sampleCharacters);
  const failed = count(sample, /\ufffd/g);
  return failed > 0 && failed * 2 >= count(sample, /[^\p{ASCII}]/gu);
}

/**
 * What misread text may really be in, likeliest first: UTF-8 whatever it claims; the charset the message names; and for
 * ISO-2022-JP, which has no 8-bit octets, the two that had it as their mail form.
 */
export function likelyCharsets(legacy: string): string[] {
  return ['utf-8', legacy, ...(legacy === 'iso-2022-jp' ? ['euc-jp', 'shift_jis'] : [])];
}

/** The message with bare 8-bit file names, in headers of parts, made UTF-8. */
export function recodeNames(raw: Uint8Array, charset: string): Uint8Array {
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
    // An unknown label is no failure: the caller has a fallback.
    return null;
  }
}

function count(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}

function latin1(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
}
