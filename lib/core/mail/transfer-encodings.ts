/**
 * Decoding of transfer encodings (RFC 2045 6), byte by byte: a string for each line or escape would take many times the
 * memory of the body.
 */

const lineFeed = 0x0a;
const carriageReturn = 0x0d;
const equals = 0x3d;
/** Table value of a byte that is not a digit. */
const none = 0xff;
const base64Digits = digitsOf('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/');
const hexDigits = digitsOf('0123456789ABCDEF');
for (const [at, letter] of [...'abcdef'].entries()) hexDigits[letter.charCodeAt(0)] = 10 + at;

/** The encoding that a Content-Transfer-Encoding names; null for the identity encodings. */
export function codecOf(encoding: string): 'base64' | 'quoted-printable' | null {
  const [token = ''] = /[\w-]+/.exec(encoding.slice(0, 200).replace(/\([^)]*\)/g, '')) ?? [];
  if (/base64/i.test(token)) return 'base64';
  return /quoted-printable/i.test(token) ? 'quoted-printable' : null;
}

/** The decoded body. Lines of text end in LF, also the last one, unless the encoding is base64. Never throws; linear. */
export function decodeBody(encoding: string, body: Buffer): Buffer {
  const codec = codecOf(encoding);
  return codec === 'base64' ? decodeBase64(body) : decodeLines(body, codec === 'quoted-printable');
}

/** Accepts padding inside the body: some mailers encode every line by itself. */
function decodeBase64(body: Buffer): Buffer {
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

function decodeLines(body: Buffer, isQuoted: boolean): Buffer {
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
      const high = hexDigits[body[at + 1] ?? 0] ?? none;
      const low = hexDigits[body[at + 2] ?? 0] ?? none;
      if (high !== none && low !== none) {
        decoded[length++] = (high << 4) | low;
        at += 2;
        continue;
      }
    }
    decoded[length++] = octet;
  }
  if (isOpen) decoded[length++] = lineFeed;
  return decoded.subarray(0, length);
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
