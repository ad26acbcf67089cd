/**
 * Decoding of transfer encodings (RFC 2045 6), byte by byte: a string for each line or escape would take many times the
 * memory of the body.
 */
import { carriageReturn, equals, lineFeed, space, tab } from '../text/octets.ts';

/** Table value of a byte that is not a digit. */
const none = 0xff;
const base64Digits = digitsOf('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/');
/** The first line of uuencoded data (POSIX `uuencode`), searched in the first bytes of a body. */
const uuencodeBegin = /^begin [0-7]{3,4} ([^\r\n]{1,500})(?:\r?\n|$)/m;
const uuencodeBeginBytes = 4096;
const hexDigits = digitsOf('0123456789ABCDEF');
for (const [at, letter] of [...'abcdef'].entries()) hexDigits[letter.charCodeAt(0)] = 10 + at;

/** Larger bodies are not made a string: with its copy it takes several times their memory. */
const stringBytesMax = 1024 * 1024;

type Codec = 'base64' | 'quoted-printable' | 'uuencode';

/** The encoding that a Content-Transfer-Encoding names; null for the identity encodings. */
export function codecOf(encoding: string): Codec | null {
  const [token = ''] = /[\w-]+/.exec(encoding.slice(0, 200).replace(/\([^)]*\)/g, '')) ?? [];
  if (/base-?64/i.test(token)) return 'base64';
  if (/quoted[-_]?printable/i.test(token)) return 'quoted-printable';
  return /^x-(?:uuencode|uue)$|^uuencode$/i.test(token) ? 'uuencode' : null;
}

/**
 * A body decoded as text. Unless the encoding is base64 or uuencode, lines end in LF, also the last one. Never throws;
 * linear.
 */
export function decodeTextBody(encoding: string, body: Buffer): Buffer {
  const codec = codecOf(encoding);
  if (codec === 'base64') return decodeBase64(body);
  if (codec === 'uuencode') return decodeUuencode(body);
  return decodeLines(body, codec === 'quoted-printable');
}

/** A body decoded as a file: the exact bytes that were encoded. Never throws; linear. */
export function decodeFileBody(encoding: string, body: Buffer): Buffer {
  const codec = codecOf(encoding);
  if (codec === 'base64') return decodeBase64(body);
  if (codec === 'uuencode') return decodeUuencode(body);
  return codec === 'quoted-printable' ? decodeQuotedPrintable(body) : body;
}

/** The filename in the first line of a uuencoded body (`begin 644 name`); null for any other body. */
export function uuencodedName(encoding: string, body: Buffer): string | null {
  if (codecOf(encoding) !== 'uuencode') return null;
  return uuencodeBegin.exec(body.toString('latin1', 0, uuencodeBeginBytes))?.[1]?.trim() || null;
}

/** Accepts padding inside the body: some mailers encode every line by itself. */
export function decodeBase64(body: Buffer): Buffer {
  const decoded = Buffer.allocUnsafe(Math.ceil((body.length * 3) / 4));
  let length = 0;
  let held = 0;
  let bits = 0;
  for (let at = 0; at < body.length; at++) {
    const octet = body[at] ?? 0;
    if (octet === equals) bits = 0;
    const digit = base64Digits[octet] ?? none;
    if (digit === none) continue;
    held = ((held << 6) | digit) & 0xfff;
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    decoded[length++] = held >> bits;
  }
  return decoded.subarray(0, length);
}

/** A body with lines that end in LF, also the last one; decoded if it is quoted-printable. */
export function decodeLines(body: Buffer, isQuoted: boolean): Buffer {
  const byOctet = isQuoted || body.length > stringBytesMax || body.includes('\r\r');
  return byOctet ? decodeOctets(body, isQuoted) : unixLines(body);
}

function decodeOctets(body: Buffer, isQuoted: boolean): Buffer {
  const decoded = Buffer.allocUnsafe(body.length + 1);
  let length = 0;
  let isOpen = false;
  for (let at = 0; at < body.length; at++) {
    const octet = body[at] ?? 0;
    isOpen = octet !== lineFeed;
    if (octet === carriageReturn) {
      const end = afterReturns(body, at);
      // CRs before an LF are part of the line end; others are content.
      if (body[end] !== lineFeed) length += body.copy(decoded, length, at, end);
      at = end - 1;
      continue;
    }
    if (isQuoted && octet === equals) {
      const end = afterReturns(body, at + 1);
      if (end === body.length || body[end] === lineFeed) {
        at = end;
        isOpen = false;
        continue;
      }
      const encoded = encodedOctet(body, at);
      if (encoded !== null) {
        decoded[length++] = encoded;
        at += 2;
        continue;
      }
    }
    decoded[length++] = octet;
  }
  if (isOpen) decoded[length++] = lineFeed;
  return decoded.subarray(0, length);
}

/** Several times as fast as octet by octet. */
function unixLines(body: Buffer): Buffer {
  const isOpen = body.length > 0 && body.at(-1) !== lineFeed;
  if (!isOpen && !body.includes('\r\n')) return body;
  const text = body.toString('latin1').replaceAll('\r\n', '\n');
  return Buffer.from(isOpen ? `${text}\n` : text, 'latin1');
}

/** The octet of the two hexadecimal digits after an equals sign; null if they are none. */
function encodedOctet(body: Buffer, equalsAt: number): number | null {
  const high = hexDigits[body[equalsAt + 1] ?? 0] ?? none;
  const low = hexDigits[body[equalsAt + 2] ?? 0] ?? none;
  return high === none || low === none ? null : (high << 4) | low;
}

/** RFC 2045 6.7: keeps line ends as they are, and removes white space before them, which transports added. */
function decodeQuotedPrintable(body: Buffer): Buffer {
  const decoded = Buffer.allocUnsafe(body.length);
  let length = 0;
  /** Length without unencoded white space at the end. */
  let contentLength = 0;
  for (let at = 0; at < body.length; at++) {
    const byte = body[at] ?? 0;
    if (byte === equals) {
      const softBreak = endOfSoftBreak(body, at + 1);
      if (softBreak !== null) {
        at = softBreak - 1;
        contentLength = length;
        continue;
      }
      const encoded = encodedOctet(body, at);
      if (encoded !== null) {
        decoded[length++] = encoded;
        contentLength = length;
        at += 2;
        continue;
      }
    }
    const isLineEnd = byte === lineFeed || (byte === carriageReturn && body[at + 1] === lineFeed);
    if (isLineEnd) length = contentLength;
    decoded[length++] = byte;
    if (byte !== space && byte !== tab) contentLength = length;
  }
  return decoded.subarray(0, contentLength);
}

/** Where the line after a soft line break begins, given the position after its `=`; null if it is not one. */
function endOfSoftBreak(body: Buffer, from: number): number | null {
  let at = from;
  while (body[at] === space || body[at] === tab) at++;
  at = afterReturns(body, at);
  if (at === body.length) return at;
  return body[at] === lineFeed ? at + 1 : null;
}

/** Uuencoded data from its `begin` line to its `end` line; a body without a `begin` line is returned unchanged. */
function decodeUuencode(body: Buffer): Buffer {
  const begin = uuencodeBegin.exec(body.toString('latin1', 0, uuencodeBeginBytes));
  if (begin === null) return body;
  const decoded = Buffer.allocUnsafe(body.length);
  let length = 0;
  for (let at = begin.index + begin[0].length; at < body.length; ) {
    const feed = body.indexOf(lineFeed, at);
    const end = feed < 0 ? body.length : feed;
    const bytes = sixBits(body[at]);
    // A line of no bytes ends the data, and `end` follows.
    if (bytes === 0 || body.toString('latin1', at, Math.min(end, at + 4)).trimEnd() === 'end') break;
    const lineEnd = Math.min(length + bytes, decoded.length);
    for (let unit = at + 1; length < lineEnd && unit < end; unit += 4) {
      const digit = (offset: number) => (unit + offset < end ? sixBits(body[unit + offset]) : 0);
      const bits = (digit(0) << 18) | (digit(1) << 12) | (digit(2) << 6) | digit(3);
      for (let shift = 16; shift >= 0 && length < lineEnd; shift -= 8)
        decoded[length++] = (bits >> shift) & 0xff;
    }
    at = end + 1;
  }
  return decoded.subarray(0, length);
}

/** The value of a character of uuencoded data: both space and backquote are zero. Trailing spaces may be lost. */
function sixBits(character: number | undefined): number {
  return character === undefined || character < space ? 0 : (character - space) & 0x3f;
}

function afterReturns(body: Buffer, from: number): number {
  let at = from;
  while (body[at] === carriageReturn) at++;
  return at;
}

function digitsOf(digits: string): Uint8Array {
  const values = new Uint8Array(256).fill(none);
  for (let value = 0; value < digits.length; value++) values[digits.charCodeAt(value)] = value;
  return values;
}
