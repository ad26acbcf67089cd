/**
 * The transfer encoding that a text really has (RFC 2045 6): some programs declare one and use another, and lists append lines
 * of plain text to encoded ones.
 */
import { isUtf8 } from 'node:buffer';
import { carriageReturn, equals, isSpace, lineFeed, space } from '../text/octets.ts';
import { codecOf, decodeBase64, decodeLines, decodeTextBody } from './transfer-encodings.ts';

/** Lines of an encoder have 60, 64, 72 or 76 characters; words are shorter. */
const encodedLineMin = 40;
const encodedLineMax = 1000;
const wordLineMax = 30;
/** Lengths of lines that encoders break. */
const softBreakMin = 40;
const softBreakMax = 80;

/** A text as it can be read: decoded with the declared encoding, or with the one that its content has. Never throws; linear. */
export function decodeDeclaredText(encoding: string, body: Buffer): Buffer {
  const codec = codecOf(encoding);
  if (codec === 'base64') return decodeBase64Text(body);
  if (codec === 'quoted-printable') return decodeLines(body, !isUnescaped(body));
  if (codec !== null) return decodeTextBody(encoding, body);
  if (isQuotedPrintable(body)) return decodeLines(body, true);
  return isBase64(body) ? decodeBase64(body) : decodeLines(body, false);
}

/**
 * Whether a text that claims to be quoted-printable is not: an encoder writes each equals sign as `=3D`, so there are neither
 * other ones nor bare ones in links.
 */
function isUnescaped(body: Buffer): boolean {
  let others = 0;
  for (let at = body.indexOf(equals); at >= 0; at = body.indexOf(equals, at + 1)) {
    const meaning = meaningOf(body, at);
    if (meaning === 'escape' || meaning === 'soft break') return false;
    if (meaning === 'other') others++;
  }
  return others > 0;
}

/** Whether a text is quoted-printable, although it does not claim to be: every equals sign begins an escape of an encoder. */
function isQuotedPrintable(body: Buffer): boolean {
  let [escapes, softBreaks] = [0, 0];
  for (let at = body.indexOf(equals); at >= 0; at = body.indexOf(equals, at + 1)) {
    const meaning = meaningOf(body, at);
    if (meaning === 'other' || meaning === 'letter') return false;
    if (meaning === 'escape') escapes++;
    if (meaning === 'soft break' && !isEncodedLine(body, at)) return false;
    if (meaning === 'soft break') softBreaks++;
  }
  return escapes >= 2 || (escapes > 0 && softBreaks > 0) || softBreaks > 1;
}

/** What an equals sign is. `open`: an encoder may write it, as well as a person. `letter`: encoders need not write it. */
function meaningOf(body: Buffer, at: number): 'escape' | 'soft break' | 'open' | 'letter' | 'other' {
  const [first = lineFeed, second = lineFeed] = [body[at + 1], body[at + 2]];
  if (first === lineFeed || (first === carriageReturn && second === lineFeed)) {
    return at + 1 < body.length && body[at - 1] !== equals ? 'soft break' : 'open';
  }
  const octet = octetOf(first, second);
  if (octet === equals) return 'escape';
  // A bare equals sign in a link: `?a=B2`.
  if (octet === null || isInLink(body, at)) return 'other';
  if (octet >= 0x80) return 'escape';
  if (octet < space && !isSpace(octet)) return 'other';
  return octet < 0x30 || octet === 0x46 ? 'open' : 'letter';
}

/** Whether a line has the length at which encoders break lines. */
function isEncodedLine(body: Buffer, softBreakAt: number): boolean {
  const length = softBreakAt - body.lastIndexOf(lineFeed, softBreakAt);
  return length >= softBreakMin && length <= softBreakMax;
}

/** The octet of two hexadecimal digits as encoders write them, in upper case. */
function octetOf(high: number, low: number): number | null {
  const digits = [high, low].map((digit) =>
    digit >= 0x30 && digit <= 0x39
      ? digit - 0x30
      : digit >= 0x41 && digit <= 0x46
        ? digit - 0x37
        : Number.NaN,
  );
  const octet = (digits[0] ?? Number.NaN) * 16 + (digits[1] ?? Number.NaN);
  return Number.isNaN(octet) ? null : octet;
}

function isInLink(body: Buffer, equalsAt: number): boolean {
  return /[?&][\w.-]{1,40}$/.test(body.toString('latin1', Math.max(equalsAt - 42, 0), equalsAt));
}

/** Whether a text is base64, although it does not claim to be: full lines of it that are UTF-8 text. */
function isBase64(body: Buffer): boolean {
  const first = lineOf(body, firstText(body)).text;
  if (first.length < 60 || first.length > encodedLineMax || !encodedLine.test(first)) return false;
  if (!isAlphabetOnly(body)) return false;
  const decoded = decodeBase64(body);
  return isUtf8(decoded) && !hasControls(decoded) && decoded.includes(space);
}

const encodedLine = /^[A-Za-z0-9+/]+={0,2}$/;

/**
 * A text that claims to be base64. Lines that are not, such as those that lists and gateways add, are kept; where no line is,
 * the whole text is kept.
 */
function decodeBase64Text(body: Buffer): Buffer {
  const whole = decodeBase64(body);
  if (isAlphabetOnly(body)) {
    const isWords =
      /^[A-Za-z\s]{1,1000}$/.test(body.toString('latin1', 0, 1001)) && longestLine(body) <= wordLineMax;
    // Text in UTF-16 has null characters.
    if (whole.includes(0)) return whole;
    return isWords && !isReadable(whole) ? decodeLines(body, false) : whole;
  }
  const runs = runsOf(body);
  if (!runs.some(({ isProse }) => isProse)) {
    const text = body.toString('latin1');
    // The alphabet of links (RFC 4648 5).
    return /^[\w\s=-]*$/.test(text) ? Buffer.from(text, 'base64url') : whole;
  }
  return Buffer.concat(runs.map((run) => decodeRun(body.subarray(run.start, run.end), run)));
}

/** Lines one below the other of the same kind. */
interface Run {
  readonly start: number;
  end: number;
  readonly isProse: boolean;
  /** The longest line. */
  width: number;
}

function decodeRun(lines: Buffer, { isProse, width }: Run): Buffer {
  if (isProse) return decodeLines(lines, false);
  const decoded = decodeBase64(lines);
  const isEncoded = width >= encodedLineMin || /=\s*$/.test(lines.toString('latin1', lines.length - 10));
  if (!isEncoded || hasControls(decoded)) return decodeLines(lines, false);
  return decoded.at(-1) === lineFeed ? decoded : Buffer.concat([decoded, Buffer.from('\n')]);
}

/** Blank lines belong to the run above. */
function runsOf(body: Buffer): Run[] {
  const runs: Run[] = [];
  for (let at = 0; at < body.length; ) {
    const { text, next } = lineOf(body, at);
    const run = runs.at(-1);
    const isProse = text === '' ? run?.isProse === true : isProseLine(text);
    if (run?.isProse === isProse) {
      run.end = next;
      run.width = Math.max(run.width, text.length);
    } else {
      runs.push({ start: at, end: next, isProse, width: text.length });
    }
    at = next;
  }
  return runs;
}

/** Whether a line has what base64 has not, and is no damaged base64 either. */
function isProseLine(line: string): boolean {
  if (/^[A-Za-z0-9+/=]*$/.test(line) || hasControls(Buffer.from(line, 'latin1'))) return false;
  if (line.length >= encodedLineMin && /^[\w+/=-]*$/.test(line) && !/__|--/.test(line)) return false;
  return line.length < encodedLineMin || line.replace(/[A-Za-z0-9+/=]+/g, '').length > 2;
}

/** The line at a position without white space around it, one character a byte, and where the next begins. */
function lineOf(body: Buffer, at: number): { readonly text: string; readonly next: number } {
  const feed = body.indexOf(lineFeed, at);
  const next = feed < 0 ? body.length : feed + 1;
  return { text: body.toString('latin1', at, next).trim(), next };
}

function firstText(body: Buffer): number {
  let at = 0;
  while (at < body.length && isSpace(body[at] ?? 0)) at++;
  return at;
}

function longestLine(body: Buffer): number {
  return Math.max(
    ...body
      .toString('latin1')
      .split(/\s+/)
      .map((line) => line.length),
  );
}

/** Whether all octets are of the alphabet or end lines. */
function isAlphabetOnly(body: Buffer): boolean {
  for (const octet of body) {
    if (octet !== lineFeed && octet !== carriageReturn && octet !== equals && !isDigit(octet)) return false;
  }
  return true;
}

/** A digit of base64 (RFC 4648 4). */
function isDigit(octet: number): boolean {
  const letter = octet | 0x20;
  return (letter >= 0x61 && letter <= 0x7a) || (octet >= 0x2f && octet <= 0x39) || octet === 0x2b;
}

function isReadable(content: Buffer): boolean {
  return isUtf8(content) && !hasControls(content);
}

/** Control characters that texts do not have. */
function hasControls(content: Buffer): boolean {
  for (const octet of content)
    if (octet < 0x20 && !isSpace(octet) && octet !== 0x0c && octet !== 0x1b) return true;
  return false;
}
