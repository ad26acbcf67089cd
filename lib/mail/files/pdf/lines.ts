/** The lines of a PDF page: a PDF has pieces of text with positions, and no lines. */
import { extractionLimits } from '../limits.ts';

/** A piece of text as the PDF library returns it. */
export interface TextItem {
  readonly str: string;
  /** Writing direction. */
  readonly dir: string;
  /** Scale and position: `[a, b, c, d, x, y]`, with y upwards. */
  readonly transform: readonly number[];
  readonly width: number;
}

/** Text between wide gaps of a line. */
export interface Segment {
  readonly text: string;
  readonly left: number;
  readonly right: number;
}

export interface Line {
  readonly segments: readonly [Segment, ...Segment[]];
  readonly left: number;
  readonly right: number;
  /** The baseline, upwards. */
  readonly y: number;
  /** Font size, of the largest text that is not a single character. */
  readonly size: number;
}

/** A gap of so many font sizes separates segments; justified text has gaps of up to half a size. */
const segmentGap = 1;
/** The gap after a lone `o`, which Word writes as a bullet; the letter is also a word of several languages. */
const letterBulletGap = 0.5;
/** Baselines within so many font sizes are one line: superscripts and mixed fonts. */
const baselineShift = 0.4;
/** A space is inserted for a gap of so many font sizes. */
const wordGap = 0.15;

/** The lines of a page in content order, which is reading order in almost every file. Linear. */
export function linesOf(items: Iterable<TextItem>): Line[] {
  const lines: Line[] = [];
  let pieces: Piece[] = [];
  const endLine = () => {
    const line = lineOf(pieces);
    if (line) lines.push(line);
    pieces = [];
  };
  for (const item of items) {
    const piece = pieceOf(item);
    const last = pieces.at(-1);
    if (last && !isSameLine(last, piece)) {
      // White space at a line end has the position of the next line.
      if (piece.text.trim() === '') continue;
      endLine();
    }
    if (piece.text !== '') pieces.push(piece);
  }
  endLine();
  return lines;
}

interface Piece extends Segment {
  readonly y: number;
  readonly size: number;
  readonly isRotated: boolean;
  readonly isRightToLeft: boolean;
}

function pieceOf({ str, dir, transform, width }: TextItem): Piece {
  const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0] = transform;
  const isRotated = Math.abs(b) > Math.abs(a);
  const left = isRotated ? f : e;
  return {
    text: str.replaceAll('\0', ''),
    left,
    right: left + width,
    y: isRotated ? -e : f,
    size: Math.hypot(c, d) || 1,
    isRotated,
    isRightToLeft: dir === 'rtl',
  };
}

function isSameLine(last: Piece, piece: Piece): boolean {
  const size = Math.max(last.size, piece.size);
  if (last.isRotated !== piece.isRotated || Math.abs(last.y - piece.y) > baselineShift * size) return false;
  return last.isRightToLeft || piece.isRightToLeft || piece.left > last.left - size;
}

function lineOf(pieces: readonly Piece[]): Line | null {
  const isSegmented = !pieces.some(({ isRightToLeft }) => isRightToLeft);
  const segments = segmentsOf(pieces, isSegmented);
  const [first, ...others] = segments
    .map(({ text, left, right }) => ({ text: text.replace(/\s+/g, ' ').trim(), left, right }))
    .filter(({ text }) => text !== '');
  if (!first) return null;
  const isWide = others.length >= extractionLimits.columns;
  const whole = {
    ...first,
    text: segments.map(({ text }) => text).join(' '),
    right: others.at(-1)?.right ?? 0,
  };
  return {
    segments: isWide ? [whole] : [first, ...others],
    left: first.left,
    right: others.at(-1)?.right ?? first.right,
    y: pieces[0]?.y ?? 0,
    size: sizeOf(pieces),
  };
}

/** The pieces joined where no wide gap is between them. @param isSegmented false: all are one segment */
function segmentsOf(pieces: readonly Piece[], isSegmented: boolean): Segment[] {
  const segments: OpenSegment[] = [];
  for (const piece of pieces) {
    if (piece.text.trim() === '' && piece.right - piece.left > letterBulletGap * piece.size) continue;
    for (const part of isSegmented ? partsOf(piece) : [piece]) {
      const segment = segments.at(-1);
      const gap = segment ? part.left - segment.right : 0;
      const isNew = isSegmented && gap > gapMaxAfter(segments) * piece.size && part.text.trim() !== '';
      if (!segment || isNew) segments.push({ ...part });
      else append(segment, part, gap > wordGap * piece.size);
    }
  }
  return segments;
}

/** The widest gap inside a segment, in font sizes. */
function gapMaxAfter(segments: readonly Segment[]): number {
  const isBullet = segments.length === 1 && segments[0]?.text.trim() === 'o';
  return isBullet ? letterBulletGap : segmentGap;
}

/** A segment to which text is added. */
export type OpenSegment = { -readonly [Key in keyof Segment]: Segment[Key] };

/** @param isApart whether there is room for a space between the two */
function append(segment: OpenSegment, part: Segment, isApart: boolean): void {
  const isWord = isApart && !/\s$/.test(segment.text) && !/^\s/.test(part.text);
  segment.text += isWord ? ` ${part.text}` : part.text;
  segment.right = Math.max(segment.right, part.right);
}

/** Tables in fixed-width fonts have their columns in one piece, with spaces between. */
function partsOf(piece: Piece): Segment[] {
  const { text, left, right } = piece;
  if (!/\S {3,}\S/.test(text)) return [{ text, left, right }];
  const unit = (right - left) / text.length;
  return [...text.matchAll(/\S+(?: {1,2}\S+)*/g)].map(([part], at, all) => {
    const start = left + unit * (all[at]?.index ?? 0);
    return { text: part, left: start, right: start + unit * part.length };
  });
}

function sizeOf(pieces: readonly Piece[]): number {
  let size = 0;
  for (const piece of pieces) if (piece.text.trim().length > 1) size = Math.max(size, piece.size);
  return size || (pieces[0]?.size ?? 1);
}
