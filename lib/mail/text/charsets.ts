/** Charset detection and repair: undeclared, mislabelled, or unknown to TextDecoder. */
import { isAscii, isUtf8 } from 'node:buffer';
import { TextDecoder } from 'node:util';
import { decodeWords } from 'postal-mime';
import { bufferOf } from './octets.ts';

/** A declared charset is searched in the first bytes: the header and the headers of the first parts. */
const hintBytes = 64 * 1024;
/** The charset of a text is judged by its first bytes. */
const sampleBytes = 256 * 1024;
const utf16 = new TextDecoder('utf-16be');
const declared = /(?:charset\s*=\s*"?|=\?)([A-Za-z0-9][\w.:-]{2,30})/gi;
/** Labels that say no more than "ASCII, and perhaps UTF-8". TextDecoder takes ASCII for windows-1252. */
const unicodeLabel = /^(?:utf-?8|us-ascii|ascii|unicode-1-1-utf-7|utf-7|unknown-8bit)$/i;
/** TextDecoder does not support UTF-7. */
export const utf7Label = /^(?:unicode-1-1-)?utf-7$/i;
const encodedWord = /=\?([^?\s]+)\?([bq])\?([^?]*)\?=/gi;

/**
 * The charset for bytes that are not UTF-8 and have no declaration: the first legacy charset that the message names near
 * its top, else windows-1252, which decodes any byte.
 */
export function legacyCharset(raw: Uint8Array): string {
  for (const [, label = ''] of bufferOf(raw).toString('latin1', 0, hintBytes).matchAll(declared)) {
    if (!unicodeLabel.test(label) && decoderOf(label) !== null) return label.toLowerCase();
  }
  return 'windows-1252';
}

/**
 * Decodes header bytes: UTF-8 if valid (RFC 6532) but for single bytes, ISO-2022-JP if it has escape sequences, else
 * `fallback`.
 */
export function decodeBytes(bytes: Uint8Array, fallback: string): string {
  if (isUtf8(bytes) || isMostlyUtf8(bytes)) {
    return repairEscapes(bufferOf(bytes).toString('utf8'));
  }
  return (decoderOf(fallback) ?? new TextDecoder('windows-1252')).decode(bytes);
}

/**
 * The charset to decode a text in: the declared one, unless the content contradicts it. UTF-8 wins where more of its
 * multi-byte sequences are valid than not, so that a stray byte does not spoil the text beside it.
 *
 * @param label declared charset; null if there is none
 * @param fallback charset of text that is not UTF-8 and declares no other
 */
export function textCharset(content: Uint8Array, label: string | null, fallback: string): string {
  const name = label?.toLowerCase() ?? 'us-ascii';
  if (isAscii(content)) {
    if (hasJapaneseEscapes(content) && !name.startsWith('iso-2022')) return 'iso-2022-jp';
    return unicodeLabel.test(name) && !utf7Label.test(name) ? 'utf-8' : name;
  }
  const sample = content.subarray(0, sampleBytes);
  if (unicodeLabel.test(name) || !isKnownLabel(name)) {
    if (isUtf8(content) || isMostlyUtf8(sample)) return 'utf-8';
    return firstFitting([fallback, ...relativesOf(fallback)], sample) ?? 'windows-1252';
  }
  if (!isMisread(sample, name)) return name;
  return firstFitting(['utf-8', ...relativesOf(name), fallback, ...relativesOf(fallback)], sample) ?? name;
}

/** The 8-bit charsets that are written under the label of their 7-bit relative. */
function relativesOf(label: string): string[] {
  return label === 'iso-2022-jp' ? ['euc-jp', 'shift_jis'] : [];
}

function firstFitting(labels: readonly string[], sample: Uint8Array): string | undefined {
  return labels.find((label) => !isMisread(sample, label));
}

/** Whether at least half of the non-ASCII characters fail to decode: a wrong charset, not a stray byte. */
function isMisread(sample: Uint8Array, label: string): boolean {
  const text = decoderOf(label)?.decode(sample) ?? '';
  const failed = count(text, /\ufffd/g);
  return failed > 0 && failed * 2 >= count(text, /[^\p{ASCII}]/gu);
}

function isMostlyUtf8(sample: Uint8Array): boolean {
  const text = new TextDecoder().decode(sample);
  const failed = count(text, /\ufffd/g);
  return failed * 2 <= count(text, /[^\p{ASCII}]/gu);
}

/** Whether the MIME parser knows a charset label, also as an alias: it reads unknown ones as windows-1252. */
function isKnownLabel(label: string): boolean {
  return decoderOf(label) !== null || decodeWords(`=?${label}?q?=E4=F6=A4=40?=`) !== 'äö¤@';
}

function hasJapaneseEscapes(content: Uint8Array): boolean {
  const bytes = bufferOf(content);
  return bytes.includes('\u001b$') || bytes.includes('\u001b(');
}

/** Decodes ASCII text that has ISO-2022-JP escape sequences (RFC 1468); returns any other text unchanged. */
export function repairEscapes(text: string): string {
  const shifts = text.includes('\u001b$') || text.includes('\u001b(');
  return shifts && !/[^\p{ASCII}]/u.test(text)
    ? new TextDecoder('iso-2022-jp').decode(Buffer.from(text))
    : text;
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
 * Rewrites encoded words that an RFC 2047 decoder reads wrongly as UTF-8: those in UTF-7, those with unencoded 8-bit
 * characters, which `decodeBytes` has already decoded, and UTF-8 under a label that is unknown or says ASCII.
 */
export function recodeEncodedWords(headerValue: string): string {
  return headerValue.replace(encodedWord, (word, label: string, encoding: string, payload: string) => {
    if (/[^\p{ASCII}]/u.test(payload)) return `=?utf-8?${encoding}?${payload}?=`;
    if (/^(?:utf-8|iso-8859-1|windows-1252)(?:\*|$)/i.test(label)) return word;
    const bytes = /b/i.test(encoding)
      ? Buffer.from(payload, 'base64')
      : Buffer.from(decodeQ(payload), 'latin1');
    if (utf7Label.test(label)) return utf8Word(decodeUtf7(bytes.toString('latin1')));
    const isUnlabelled = unicodeLabel.test(label) || !isKnownLabel(label);
    return isUnlabelled && isUtf8(bytes) && !isAscii(bytes) ? utf8Word(bytes.toString('utf8')) : word;
  });
}

function utf8Word(text: string): string {
  return `=?utf-8?b?${Buffer.from(text).toString('base64')}?=`;
}

/** The `Q` encoding of ASCII text (RFC 2047 4.2). */
function decodeQ(payload: string): string {
  return payload
    .replace(/_/g, ' ')
    .replace(/=([0-9A-F]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}

const decoders = new Map<string, TextDecoder | null>();

/** The decoder of a charset label; null for an unknown one. */
export function decoderOf(label: string): TextDecoder | null {
  const known = decoders.get(label) ?? newDecoder(label);
  // The labels come from messages.
  if (decoders.size < 100) decoders.set(label, known);
  return known;
}

function newDecoder(label: string): TextDecoder | null {
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

/** Charsets of code pages outside of 1250 to 1258. */
const codePages: Readonly<Record<number, string>> = {
  874: 'windows-874',
  932: 'shift_jis',
  936: 'gbk',
  949: 'euc-kr',
  950: 'big5',
  10000: 'macintosh',
  20127: 'us-ascii',
  20866: 'koi8-r',
  20932: 'euc-jp',
  21866: 'koi8-u',
  50220: 'iso-2022-jp',
  50221: 'iso-2022-jp',
  50222: 'iso-2022-jp',
  51932: 'euc-jp',
  51949: 'euc-kr',
  54936: 'gb18030',
  65001: 'utf-8',
};

/** The charset of a Windows code page; windows-1252 for an unknown one. */
export function charsetOfCodePage(codePage: number): string {
  if (codePage >= 28_591 && codePage <= 28_606) return `iso-8859-${codePage - 28_590}`;
  return (
    codePages[codePage] ?? (codePage >= 1250 && codePage <= 1258 ? `windows-${codePage}` : 'windows-1252')
  );
}
