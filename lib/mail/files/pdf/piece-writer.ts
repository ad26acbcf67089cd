/** Puts glyphs together to pieces: where the next one begins at the end of the last. */
import type { Matrix } from './page.ts';
import { type Piece, textOfPiece } from './pieces.ts';

/** A gap of so many font sizes separates words. */
export const wordGap = 0.1;
/** Glyphs overlap by less than this. */
const overlapMax = 0.3;
/** Offset of text that is printed twice to look bold. */
const boldOffset = 0.12;
/** A glyph at another height begins a piece. */
const shiftMax = 0.1;

interface Run {
  readonly matrix: Matrix;
  readonly size: number;
  readonly angle: number;
  /** Size of a unit of text space along the line. */
  readonly scale: number;
}

interface OpenPiece {
  readonly glyphs: string[];
  readonly left: number;
  right: number;
  readonly y: number;
  readonly size: number;
  readonly angle: number;
}

export class PieceWriter {
  readonly #view: readonly number[];
  readonly #pieces: Piece[] = [];
  #run: Run | null = null;
  #open: OpenPiece | null = null;
  /** Spacing after the last glyph, which is no gap. */
  #spread = 0;

  /** @param view the visible part of the page: `[left, bottom, right, top]` */
  constructor(view: readonly number[]) {
    this.#view = view;
  }

  begin(matrix: Matrix, { size, isVertical }: { size: number; isVertical: boolean }): void {
    const [a, b, c, d] = matrix;
    this.#run = {
      matrix,
      size: Math.abs(size) * Math.hypot(c, d) || 1,
      angle: isVertical ? angleOf(-c, -d) : angleOf(a * Math.sign(size || 1), b * Math.sign(size || 1)),
      scale: isVertical ? Math.hypot(c, d) : Math.hypot(a, b),
    };
  }

  /** Adds a glyph at a place in text space. @param width negative where text goes down */
  add(text: string, x: number, y: number, width: number): void {
    const run = this.#run;
    if (!run || text === '') return;
    const { matrix, size, angle } = run;
    const pageX = matrix[0] * x + matrix[2] * y + matrix[4];
    const pageY = matrix[1] * x + matrix[3] * y + matrix[5];
    if (!this.#isVisible(pageX, pageY, size)) return;
    const [left, baseline] = placed(pageX, pageY, angle);
    const right = left + Math.abs(width) * run.scale;
    const open = this.#open;
    if (open && /^\p{M}+$/u.test(text) && isBeside(open, left, baseline)) {
      open.glyphs.push(text);
      open.right = Math.max(open.right, right);
    } else if (open && this.#continues(open, run, left, baseline)) {
      open.glyphs.push(text);
      open.right = Math.max(open.right, right);
    } else {
      this.#close();
      this.#open = { glyphs: [text], left, right, y: baseline, size, angle };
    }
    this.#spread = 0;
  }

  /** Says that the file spreads its characters by so much. */
  spread(spacing: number): void {
    this.#spread = Math.abs(spacing) * (this.#run?.scale ?? 1);
  }

  end(): Piece[] {
    this.#close();
    return this.#pieces;
  }

  #isVisible(x: number, y: number, size: number): boolean {
    const [left = 0, bottom = 0, right = 0, top = 0] = this.#view;
    return x >= left - size && x <= right + size && y >= bottom - size && y <= top + size;
  }

  #continues(open: OpenPiece, { size, angle }: Run, left: number, y: number): boolean {
    if (open.angle !== angle || Math.abs(open.size - size) > 0.05 * size) return false;
    if (Math.abs(open.y - y) > shiftMax * size) return false;
    const gap = left - open.right;
    return gap >= -overlapMax * size && gap - this.#spread <= wordGap * size;
  }

  #close(): void {
    const open = this.#open;
    const last = this.#pieces.at(-1);
    this.#open = null;
    if (!open || (last && isPrintedTwice(last, open))) return;
    this.#pieces.push(open);
  }
}

function isBeside(open: OpenPiece, left: number, y: number): boolean {
  return (
    Math.abs(open.y - y) <= open.size && left >= open.left - open.size && left <= open.right + open.size / 2
  );
}

function isPrintedTwice(last: Piece, piece: Piece): boolean {
  const offset = Math.max(Math.abs(last.left - piece.left), Math.abs(last.y - piece.y));
  return (
    last.angle === piece.angle &&
    offset <= boldOffset * piece.size &&
    last.glyphs.length === piece.glyphs.length &&
    textOfPiece(last) === textOfPiece(piece)
  );
}

/** In whole degrees, above -180 and up to 180. */
function angleOf(x: number, y: number): number {
  const angle = Math.round((Math.atan2(y, x) / Math.PI) * 180);
  return angle === -180 ? 180 : angle;
}

/** Where a place is when the page is turned so that text is written to the right. */
function placed(x: number, y: number, angle: number): [left: number, baseline: number] {
  if (angle === 0) return [x, y];
  const turn = (angle * Math.PI) / 180;
  return [x * Math.cos(turn) + y * Math.sin(turn), y * Math.cos(turn) - x * Math.sin(turn)];
}
