/** Files written into plain text, from before MIME: uuencode (POSIX), yEnc, and OpenPGP armour (RFC 9580 6.2). */
import { decodeBytes } from '../text/charsets.ts';
import { mediaTypeOf } from './media-types.ts';
import { decodeFileBody } from './transfer-encodings.ts';

export interface EnclosedFile {
  readonly filename: string;
  readonly contentType: string;
  readonly content: Buffer;
}

interface OpenedText {
  /** The text without the files, and without the armour of signed text. */
  readonly text: Buffer;
  readonly files: readonly EnclosedFile[];
}

/** A block of lines that is a file. `lineCount` is of the block. */
interface Block {
  readonly lineCount: number;
  readonly file: EnclosedFile;
}

/** Each file is an object to store; blocks beyond stay in the text. */
const filesMax = 100;
/** A text without one of these has no file in it. */
const openings = ['begin ', '=ybegin ', '-----BEGIN PGP '];
const uuBegin = /^begin [0-7]{3,4} (\S[^\r\n]{0,499})$/;
const yBegin =
  /^=ybegin (?!.*\bpart=)[^\r\n]{0,200}\bsize=(\d{1,10})\b[^\r\n]{0,200}? name=([^\r\n]{1,500})$/;
const armourBegin = /^-----BEGIN PGP (MESSAGE|PUBLIC KEY BLOCK|PRIVATE KEY BLOCK|SIGNATURE)-----$/;
const signedBegin = '-----BEGIN PGP SIGNED MESSAGE-----';
const armourHeader = /^[A-Za-z]{1,40}: /;

const armoured: Readonly<Record<string, readonly [filename: string, contentType: string]>> = {
  MESSAGE: ['message.asc', 'application/pgp-encrypted'],
  'PUBLIC KEY BLOCK': ['public-key.asc', 'application/pgp-keys'],
  'PRIVATE KEY BLOCK': ['private-key.asc', 'application/pgp-keys'],
  SIGNATURE: ['signature.asc', 'application/pgp-signature'],
};

/**
 * Takes the files out of a text. Only what is complete counts: valid lines up to the end line. Linear: a block ends at
 * the first line that cannot be part of it, and no beginning can.
 *
 * @param charset of filenames that are not UTF-8
 */
export function takeEnclosedFiles(text: Buffer, charset: string): OpenedText {
  if (!openings.some((opening) => text.includes(opening))) return { text, files: [] };
  const lines = text.toString('latin1').split('\n');
  const kept: string[] = [];
  const files: EnclosedFile[] = [];
  let isSigned = false;
  for (let at = 0; at < lines.length; ) {
    const line = lineOf(lines, at);
    const block = files.length < filesMax ? blockAt(lines, at, charset) : null;
    if (block) {
      files.push(block.file);
      at += block.lineCount;
      isSigned = false;
    } else if (line === signedBegin) {
      isSigned = true;
      at = afterArmourHeaders(lines, at + 1);
    } else {
      // RFC 9580 7.2: lines of signed text that begin with a dash are escaped.
      const shown = lines[at] ?? '';
      kept.push(isSigned && shown.startsWith('- ') ? shown.slice(2) : shown);
      at++;
    }
  }
  return { text: Buffer.from(kept.join('\n'), 'latin1'), files };
}

function lineOf(lines: readonly string[], at: number): string {
  return lines[at]?.trimEnd() ?? '';
}

function blockAt(lines: readonly string[], at: number, charset: string): Block | null {
  const line = lineOf(lines, at);
  const uu = uuBegin.exec(line);
  if (uu) return named(uuBlock(lines, at), uu[1] ?? '', charset);
  const armour = armourBegin.exec(line);
  if (armour) return armourBlock(lines, at, armour[1] ?? '');
  const y = yBegin.exec(line);
  return y ? named(yBlock(lines, at, Number(y[1])), y[2] ?? '', charset) : null;
}

function named(
  block: { readonly lineCount: number; readonly content: Buffer } | null,
  name: string,
  charset: string,
): Block | null {
  if (!block) return null;
  const filename = decodeBytes(Buffer.from(name, 'latin1'), charset).trim();
  return {
    lineCount: block.lineCount,
    file: { filename, contentType: mediaTypeOf(filename), content: block.content },
  };
}

function uuBlock(lines: readonly string[], from: number): { lineCount: number; content: Buffer } | null {
  let at = from + 1;
  while (at < lines.length && isUuLine(lines[at]?.replace(/\r$/, '') ?? '')) at++;
  // The line of no bytes before `end` may have lost its space.
  if (lineOf(lines, at) === '') at++;
  if (lineOf(lines, at) !== 'end') return null;
  const source = Buffer.from(lines.slice(from, at + 1).join('\n'), 'latin1');
  return { lineCount: at + 1 - from, content: decodeFileBody('x-uuencode', source) };
}

/** A length, and its four characters for each three bytes; spaces at the end may be lost, a checksum may follow. */
function isUuLine(line: string): boolean {
  if (!/^[\x20-\x60]{1,90}$/.test(line)) return false;
  const bytes = (line.charCodeAt(0) - 0x20) & 0x3f;
  const length = 1 + Math.ceil(bytes / 3) * 4;
  return line.length <= length + 1 && (bytes === 0 || line.length > 1);
}

function yBlock(
  lines: readonly string[],
  from: number,
  size: number,
): (Omit<Block, 'file'> & { content: Buffer }) | null {
  let at = from + 1;
  while (at < lines.length && !/^=y(?:end|begin) /.test(lines[at] ?? '')) at++;
  if (!lines[at]?.startsWith('=yend ')) return null;
  const encoded = Buffer.from(lines.slice(from + 1, at).join(''), 'latin1');
  const content = Buffer.allocUnsafe(encoded.length);
  let length = 0;
  for (let byte = 0; byte < encoded.length; byte++) {
    const isEscape = encoded[byte] === 0x3d;
    if (isEscape) byte++;
    content[length++] = ((encoded[byte] ?? 0) - (isEscape ? 106 : 42)) & 0xff;
  }
  return length === size ? { lineCount: at + 1 - from, content: content.subarray(0, length) } : null;
}

function armourBlock(lines: readonly string[], from: number, kind: string): Block | null {
  let at = afterArmourHeaders(lines, from + 1);
  while (at < lines.length && /^[A-Za-z0-9+/=]{1,100}$/.test(lineOf(lines, at))) at++;
  const [filename = '', contentType = ''] = armoured[kind] ?? [];
  if (lineOf(lines, at) !== `-----END PGP ${kind}-----`) return null;
  const content = Buffer.from(`${lines.slice(from, at + 1).join('\n')}\n`, 'latin1');
  return { lineCount: at + 1 - from, file: { filename, contentType, content } };
}

/** The first line after the headers of armour and the blank line that ends them. */
function afterArmourHeaders(lines: readonly string[], from: number): number {
  let at = from;
  while (armourHeader.test(lines[at] ?? '')) at++;
  return lineOf(lines, at) === '' ? at + 1 : at;
}
