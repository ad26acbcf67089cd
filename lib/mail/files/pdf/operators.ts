/**
 * The pieces of text of a PDF page, from its drawing operators: text that the library has already put together keeps
 * neither the place of a character nor whether the file gives its Unicode.
 */
import { type Font, fontOf, type Glyph, textOfGlyph } from './fonts.ts';
import type { Matrix, Operators, Page } from './page.ts';
import { PieceWriter } from './piece-writer.ts';
import type { Piece } from './pieces.ts';

export interface PageContent {
  readonly pieces: readonly Piece[];
  /** Visible characters. */
  readonly characters: number;
  /** Of them those for which the file gives no Unicode. */
  readonly unmapped: number;
  /** Whether text is in fonts that cannot be read. */
  readonly hasBrokenFonts: boolean;
  readonly hasPictures: boolean;
  /** Whether pictures cover most of the page. */
  readonly isCovered: boolean;
  /** Shapes that are filled or stroked. */
  readonly shapes: number;
}

interface TextState {
  ctm: Matrix;
  font: Font | null;
  fontSize: number;
  characterSpacing: number;
  wordSpacing: number;
  /** Horizontal scaling; 1 is none. */
  scale: number;
  leading: number;
  rise: number;
}

const identity: Matrix = [1, 0, 0, 1, 0, 0];
/** A page that saves more states is hostile; real ones save about ten. */
const savedStatesMax = 10_000;
/** Strings of spread letters have at least so many. */
const spreadGlyphsMin = 4;

/**
 * Reads a page. Linear in its operators.
 *
 * @param drawn identifiers of the annotations whose drawing is read
 */
export async function readOperators(
  page: Page,
  operators: Operators,
  drawn: ReadonlySet<string>,
): Promise<PageContent> {
  const { fnArray, argsArray } = await page.getOperatorList({ annotationMode: drawn.size > 0 ? 1 : 0 });
  const reader = new OperatorReader(page, operators, drawn);
  for (let at = 0; at < fnArray.length; at++) reader.run(fnArray[at] ?? 0, argsArray[at] ?? []);
  return reader.result();
}

class OperatorReader {
  readonly #page: Page;
  readonly #handlers: ReadonlyMap<number, (args: never) => void>;
  readonly #writer: PieceWriter;
  readonly #drawn: ReadonlySet<string>;
  readonly #fonts = new Map<string, Font | null>();
  readonly #saved: TextState[] = [];
  #state: TextState = {
    ctm: identity,
    font: null,
    fontSize: 0,
    characterSpacing: 0,
    wordSpacing: 0,
    scale: 1,
    leading: 0,
    rise: 0,
  };
  #matrix: Matrix = identity;
  #lineX = 0;
  #lineY = 0;
  #x = 0;
  #y = 0;
  #characters = 0;
  #unmapped = 0;
  #hasBrokenFonts = false;
  #hasPictures = false;
  #pictureArea = 0;
  /** The operator that ends what is left out. */
  #skippedUntil: number | null = null;
  #shapes = 0;

  constructor(page: Page, operators: Operators, drawn: ReadonlySet<string>) {
    this.#page = page;
    this.#drawn = drawn;
    this.#writer = new PieceWriter(page.view);
    this.#handlers = this.#handlersOf(operators);
  }

  run(operator: number, args: readonly unknown[]): void {
    if (this.#skippedUntil !== null && operator !== this.#skippedUntil) return;
    this.#handlers.get(operator)?.(args as never);
  }

  result(): PageContent {
    return {
      pieces: this.#writer.end(),
      characters: this.#characters,
      unmapped: this.#unmapped,
      hasBrokenFonts: this.#hasBrokenFonts,
      hasPictures: this.#hasPictures,
      isCovered: this.#pictureArea > areaOf(this.#page.view) / 2,
      shapes: this.#shapes,
    };
  }

  #handlersOf(operators: Operators): ReadonlyMap<number, (args: never) => void> {
    const picture = () => {
      this.#hasPictures = true;
    };
    const set = (key: 'characterSpacing' | 'wordSpacing' | 'rise') => {
      return ([value]: [number]) => {
        this.#state[key] = value;
      };
    };
    return new Map<number, (args: never) => void>([
      [operators.save, () => this.#save()],
      [operators.restore, () => this.#restore()],
      [operators.transform, (matrix: Matrix) => this.#transform(matrix)],
      [operators.paintFormXObjectBegin, ([matrix]: [Matrix | null]) => this.#beginForm(matrix)],
      [operators.paintFormXObjectEnd, () => this.#restore()],
      [
        operators.beginAnnotation,
        ([id, , place, matrix]: [string, unknown, Matrix, Matrix]) => {
          this.#save();
          // The page may have left its own transformations open.
          this.#state.ctm = product(place, matrix);
          if (!this.#drawn.has(id)) this.#skippedUntil = operators.endAnnotation;
        },
      ],
      [operators.endAnnotation, () => this.#endAnnotation()],
      [operators.beginText, () => this.#setMatrix(identity)],
      [operators.setTextMatrix, ([matrix]: [Matrix]) => this.#setMatrix(matrix)],
      [operators.moveText, ([x, y]: [number, number]) => this.#move(x, y)],
      [operators.setLeadingMoveText, ([x, y]: [number, number]) => this.#moveWithLeading(x, y)],
      [operators.nextLine, () => this.#move(0, -this.#state.leading)],
      [operators.setLeading, ([leading]: [number]) => this.#setLeading(leading)],
      [operators.setFont, ([name, size]: [string, number]) => this.#setFont(name, size)],
      [operators.setGState, ([entries]: [readonly [string, unknown][]]) => this.#setGraphics(entries)],
      [operators.setCharSpacing, set('characterSpacing')],
      [operators.setWordSpacing, set('wordSpacing')],
      [operators.setTextRise, set('rise')],
      [operators.setHScale, ([scale]: [number]) => this.#setScale(scale)],
      [operators.showText, ([glyphs]: [readonly (Glyph | number)[]]) => this.#show(glyphs)],
      [operators.constructPath, ([paint]: [number]) => this.#countShape(paint !== operators.endPath)],
      [operators.paintImageXObject, picture],
      [operators.paintImageXObjectRepeat, picture],
      [operators.paintInlineImageXObject, picture],
      [operators.paintInlineImageXObjectGroup, picture],
      [operators.paintImageMaskXObject, picture],
      [operators.paintImageMaskXObjectGroup, picture],
      [operators.paintImageMaskXObjectRepeat, picture],
      [operators.paintSolidColorImageMask, picture],
    ]);
  }

  #save(): void {
    if (this.#saved.length < savedStatesMax) this.#saved.push({ ...this.#state });
  }

  #restore(): void {
    this.#state = this.#saved.pop() ?? this.#state;
  }

  #countShape(isPainted: boolean): void {
    if (isPainted) this.#shapes++;
  }

  /** An image over the size limit is left out, with only the transformation that places it. */
  #transform(matrix: Matrix): void {
    if (Math.abs(matrix[0]) + Math.abs(matrix[1]) > 2) this.#hasPictures = true;
    this.#state.ctm = product(this.#state.ctm, matrix);
    const [a, b, c, d] = this.#state.ctm;
    // A picture fills the unit square; other transformations leave it about as small as a point.
    this.#pictureArea += Math.abs(a * d - b * c);
  }

  #beginForm(matrix: Matrix | null): void {
    this.#save();
    if (matrix) this.#state.ctm = product(this.#state.ctm, matrix);
  }

  #endAnnotation(): void {
    this.#skippedUntil = null;
    this.#restore();
  }

  #setMatrix(matrix: Matrix): void {
    this.#matrix = matrix;
    this.#x = this.#lineX = 0;
    this.#y = this.#lineY = 0;
  }

  #move(x: number, y: number): void {
    this.#x = this.#lineX += x;
    this.#y = this.#lineY += y;
  }

  #moveWithLeading(x: number, y: number): void {
    this.#state.leading = -y;
    this.#move(x, y);
  }

  #setLeading(leading: number): void {
    this.#state.leading = leading;
  }

  #setScale(percent: number): void {
    this.#state.scale = percent / 100;
  }

  #setGraphics(entries: readonly [string, unknown][]): void {
    for (const [key, value] of entries) {
      if (key === 'Font' && Array.isArray(value)) this.#setFont(value[0], value[1]);
    }
  }

  #setFont(name: string, size: number): void {
    if (!this.#fonts.has(name)) this.#fonts.set(name, fontOf(this.#page, name));
    this.#state.font = this.#fonts.get(name) ?? null;
    this.#state.fontSize = size;
  }

  #show(glyphs: readonly (Glyph | number)[]): void {
    const { font, fontSize, scale, rise, ctm } = this.#state;
    if (!font) {
      this.#hasBrokenFonts = true;
      return;
    }
    const text = product(ctm, this.#matrix);
    const size = font.isVertical ? fontSize : fontSize * scale;
    this.#writer.begin(text, { size: fontSize * font.height, isVertical: font.isVertical });
    // Spacing of short strings is a program's way to write a space.
    const isSpread = glyphs.length >= spreadGlyphsMin && glyphs.every((glyph) => typeof glyph !== 'number');
    for (const glyph of glyphs) {
      if (typeof glyph === 'number') {
        this.#advance((-glyph / 1000) * size, font.isVertical);
        continue;
      }
      const { written, isMapped } = textOfGlyph(glyph, font);
      const isVisible = written.trim() !== '';
      if (isVisible) this.#characters++;
      if (isVisible && !isMapped) this.#unmapped++;
      const width = this.#widthOf(glyph, font);
      this.#writer.add(written, this.#x, this.#y + rise, width);
      const spacing = this.#state.characterSpacing + (glyph.isSpace ? this.#state.wordSpacing : 0);
      const spread = font.isVertical ? -spacing : spacing * scale;
      this.#writer.spread(isSpread ? spread : 0);
      this.#advance(width + spread, font.isVertical);
    }
  }

  /** Downwards, and so negative, in vertical writing. */
  #widthOf({ width, vmetric }: Glyph, font: Font): number {
    const { fontSize, scale } = this.#state;
    if (font.isVertical) return ((vmetric ?? font.verticalMetrics)?.[0] ?? -1000) * font.unit * fontSize;
    return width * font.unit * fontSize * scale;
  }

  #advance(by: number, isVertical: boolean): void {
    if (isVertical) this.#y += by;
    else this.#x += by;
  }
}

function areaOf([left = 0, bottom = 0, right = 0, top = 0]: readonly number[]): number {
  return Math.abs((right - left) * (top - bottom));
}

/** First `b`, then `a`. */
function product(a: Matrix, b: Matrix): Matrix {
  return [
    a[0] * b[0] + a[2] * b[1],
    a[1] * b[0] + a[3] * b[1],
    a[0] * b[2] + a[2] * b[3],
    a[1] * b[2] + a[3] * b[3],
    a[0] * b[4] + a[2] * b[5] + a[4],
    a[1] * b[4] + a[3] * b[5] + a[5],
  ];
}
