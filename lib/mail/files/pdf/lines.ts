/** The lines of a PDF page: a PDF has pieces of text with positions, and no lines. */
import { extractionLimits } from '../limits.ts';
import { isMostlyRightToLeft, isRightToLeft, readingOrder } from './direction.ts';
import { wordGap } from './piece-writer.ts';
import { type Piece, textOfPiece } from './pieces.ts';

/** Text between wide gaps of a line. */
export interface Segment {
  readonly text: string;
  readonly left: number;
  readonly right: number;
}

/** A segment to which text is added. */
export type OpenSegment = { -readonly [Key in keyof Segment]: Segment[Key] };

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
/** Programs go back on a line to write the characters of another font; lines beside one another differ by more. */
const sameBaseline = 0.1;
/** Spread letters have gaps of up to so many font sizes, that differ by less than a third of it. */
const spreadGapMax = 0.6;
/** So many letters in a row are spread. */
const spreadLettersMin = 3;

/**
 * The lines of a page in content order, which is reading order in almost every file. A page that is written to the left is
 * mirrored, so that what is read first is left. Time is that of sorting.
 */
export function linesOf(pieces: readonly Piece[]): Line[] {
  const isMirrored = isMostlyRightToLeft(pieces.flatMap(({ glyphs }) => glyphs));
  const lines: Line[] = [];
  let open: Piece[] = [];
  const endLine = () => {
    const line = lineOf(open);
    if (line) lines.push(isMirrored ? mirror(line) : line);
    open = [];
  };
  for (const piece of pieces) {
    const last = open.at(-1);
    const isBlank = textOfPiece(piece).trim() === '';
    // White space at a line end has the position of the next line; a wide one is a gap.
    if (isBlank && (!last || !isSameLine(last, piece) || isWide(piece))) continue;
    if (last && !isSameLine(last, piece)) endLine();
    open.push(piece);
  }
  endLine();
  return lines;
}

function isWide({ left, right, size }: Piece): boolean {
  return right - left > letterBulletGap * size;
}

function isSameLine(last: Piece, piece: Piece): boolean {
  const size = Math.max(last.size, piece.size);
  const shift = Math.abs(last.y - piece.y);
  if (last.angle !== piece.angle || shift > baselineShift * size) return false;
  return piece.left > last.left - size || shift <= sameBaseline * size;
}

function mirror({ segments, left, right, ...line }: Line): Line {
  const [first, ...others] = segments
    .map((segment) => ({ text: segment.text, left: -segment.right, right: -segment.left }))
    .toReversed();
  return { ...line, segments: first ? [first, ...others] : segments, left: -right, right: -left };
}

function lineOf(pieces: readonly Piece[]): Line | null {
  const segments = segmentsOf(pieces.toSorted((a, b) => a.left - b.left));
  const [first, ...others] = segments
    .map(({ text, left, right }) => ({ text: text.replace(/\s+/g, ' ').trim(), left, right }))
    .filter(({ text }) => text !== '');
  if (!first) return null;
  const isTooWide = others.length >= extractionLimits.columns;
  const right = others.at(-1)?.right ?? first.right;
  const whole = { left: first.left, right, text: segments.map(({ text }) => text).join(' ') };
  return {
    segments: isTooWide ? [whole] : [first, ...others],
    left: first.left,
    right,
    y: pieces[0]?.y ?? 0,
    size: sizeOf(pieces),
  };
}

/** A segment, glyph by glyph from left to right. */
interface GlyphSegment {
  readonly glyphs: string[];
  readonly left: number;
  right: number;
}

/** The pieces joined where no wide gap is between them. */
function segmentsOf(pieces: readonly Piece[]): Segment[] {
  const segments: GlyphSegment[] = [];
  for (const [at, piece] of pieces.entries()) {
    for (const part of partsOf(piece)) {
      const segment = segments.at(-1);
      const gap = (part.left - (segment?.right ?? part.left)) / piece.size;
      const isNew = gap > gapMaxAfter(segments) && part.glyphs.some((glyph) => glyph.trim() !== '');
      if (segment && !isNew) append(segment, part, gap > wordGap && !isSpread(pieces, at));
      else segments.push({ ...part, glyphs: [...part.glyphs] });
    }
  }
  return segments.map(({ glyphs, left, right }) => ({ left, right, text: writtenText(glyphs) }));
}

/** @param isApart whether there is room for a space between the two */
function append(segment: GlyphSegment, part: GlyphSegment, isApart: boolean): void {
  if (isApart) segment.glyphs.push(' ');
  for (const glyph of part.glyphs) segment.glyphs.push(glyph);
  segment.right = Math.max(segment.right, part.right);
}

/** The widest gap inside a segment, in font sizes. */
function gapMaxAfter(segments: readonly GlyphSegment[]): number {
  const [first] = segments;
  const isBullet =
    first !== undefined &&
    segments.length === 1 &&
    first.glyphs.length <= 2 &&
    first.glyphs.join('').trim() === 'o';
  return isBullet ? letterBulletGap : segmentGap;
}

/** Ligatures and presentation forms become letters: only then, as a ligature is read in one direction. */
function writtenText(glyphs: readonly string[]): string {
  const text = glyphs.some(isRightToLeft)
    ? readingOrder(glyphs, isMostlyRightToLeft(glyphs))
    : glyphs.join('');
  return text.replace(/[\u2e80-\u2fdf\ufb00-\ufdff\ufe10-\ufe1f\ufe30-\ufe4f\ufe70-\ufefc]+/gu, (found) =>
    found.normalize('NFKC'),
  );
}

/** Whether the piece is a letter of a word whose letters are spread: its neighbours are single letters too, as far apart. */
function isSpread(pieces: readonly Piece[], at: number): boolean {
  for (let first = Math.max(0, at - spreadLettersMin); first < at; first++) {
    if (isSpreadRun(pieces.slice(first, first + spreadLettersMin + 1))) return true;
  }
  return false;
}

function isSpreadRun(run: readonly Piece[]): boolean {
  if (run.length <= spreadLettersMin || !run.every(({ glyphs }) => /^[\p{L}\p{M}]$/u.test(glyphs.join(''))))
    return false;
  const gaps = run.slice(1).map(({ left, size }, at) => (left - (run[at]?.right ?? 0)) / size);
  const widest = Math.max(...gaps);
  return widest <= spreadGapMax && widest - Math.min(...gaps) <= spreadGapMax / 3;
}

/** Tables in fixed-width fonts have their columns in one piece, with spaces between. */
function partsOf({ glyphs, left, right }: Piece): GlyphSegment[] {
  const text = glyphs.map((glyph) => (glyph.length === 1 ? glyph : 'x')).join('');
  if (!/\S {3,}\S/.test(text)) return [{ glyphs: [...glyphs], left, right }];
  const unit = (right - left) / text.length;
  return [...text.matchAll(/\S+(?: {1,2}\S+)*/g)].map(({ 0: part, index }) => ({
    glyphs: glyphs.slice(index, index + part.length),
    left: left + unit * index,
    right: left + unit * (index + part.length),
  }));
}

function sizeOf(pieces: readonly Piece[]): number {
  let size = 0;
  for (const piece of pieces) if (textOfPiece(piece).trim().length > 1) size = Math.max(size, piece.size);
  return size || (pieces[0]?.size ?? 1);
}
