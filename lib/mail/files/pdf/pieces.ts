/** Pieces of text of a PDF page, seen in their writing direction. */

/** A run of glyphs without a gap. Positions are of the page turned so that it is written to the right. */
export interface Piece {
  /** The text of each glyph, in the order of the page from left to right. */
  readonly glyphs: readonly string[];
  readonly left: number;
  readonly right: number;
  /** The baseline, upwards. */
  readonly y: number;
  readonly size: number;
  /** Of the writing direction, in degrees against the clock; vertical writing goes down, at -90. */
  readonly angle: number;
}

export const textOfPiece = ({ glyphs }: Piece): string => glyphs.join('');
