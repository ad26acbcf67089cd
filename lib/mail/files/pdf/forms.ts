/** Form fields and notes of a PDF page, as pieces of its text. */
import { oneLine } from '../markdown.ts';
import type { Page } from './page.ts';
import type { Piece } from './pieces.ts';

/** Size of the text of a field that does not give one. */
const usualSize = 10;
/** A line of a field is so many font sizes high. */
const lineHeight = 1.2;
/** The mean character is so many font sizes wide. */
const meanWidth = 0.5;
/** Pieces beside a field that are looked at: the search stays bounded. */
const besideMax = 200;

/** What the library gives of an annotation; it has no type for it. */
interface Annotation {
  readonly id?: string;
  readonly subtype?: string;
  readonly rect?: readonly number[];
  readonly annotationFlags?: number;
  readonly contentsObj?: { readonly str?: string };
  readonly fieldType?: string;
  readonly fieldValue?: unknown;
  readonly checkBox?: boolean;
  readonly radioButton?: boolean;
  readonly exportValue?: string;
  readonly buttonValue?: string;
  readonly password?: boolean;
  readonly options?: readonly { readonly exportValue: string; readonly displayValue: string }[];
}

/** Annotation flags of what nobody sees: hidden, and not to be viewed. */
const unseen = 0b10_0010;

/** Identifiers of stamps and signatures, whose words are only in what they draw. */
export async function drawnAnnotations(page: Page): Promise<ReadonlySet<string>> {
  const annotations: readonly Annotation[] = await page.getAnnotations();
  return new Set(
    annotations
      .filter(({ subtype, fieldType, annotationFlags = 0 }) => {
        return (subtype === 'Stamp' || fieldType === 'Sig') && (annotationFlags & unseen) === 0;
      })
      .map(({ id = '' }) => id),
  );
}

/** The pieces of a page with the values of its fields where they stand, and its notes at its end. */
export async function piecesWithFields(page: Page, pieces: readonly Piece[]): Promise<readonly Piece[]> {
  const annotations: readonly Annotation[] = await page.getAnnotations();
  const beside = new Map<number, Piece[]>();
  const others: Piece[][] = [];
  const lines = new LevelPieces(pieces);
  for (const annotation of annotations) {
    if (((annotation.annotationFlags ?? 0) & unseen) !== 0) continue;
    const isField = annotation.subtype === 'Widget';
    const written = isField ? fieldText(annotation) : noteOf(annotation);
    if (written.trim() === '') continue;
    const area = areaOf(annotation.rect);
    const at = isField ? lines.beside(area) : -1;
    const shown = piecesOf(written, area, pieces[at] ?? pieces.at(-1));
    if (at < 0) others.push(shown);
    else beside.set(at, (beside.get(at) ?? []).concat(level(shown, pieces[at])));
  }
  if (beside.size === 0 && others.length === 0) return pieces;
  const inOrder = others.flat().toSorted((a, b) => b.y - a.y || a.left - b.left);
  return [...pieces.flatMap((piece, at) => [piece, ...(beside.get(at) ?? [])]), ...inOrder];
}

/** The value of a field as a person sees it. */
function fieldText({ fieldType, fieldValue, password, options = [], ...button }: Annotation): string {
  if (fieldType === 'Tx') return typeof fieldValue === 'string' && !password ? fieldValue : '';
  if (fieldType === 'Ch') {
    const chosen = Array.isArray(fieldValue) ? fieldValue : [fieldValue];
    return chosen
      .filter((value) => typeof value === 'string')
      .map((value) => options.find(({ exportValue }) => exportValue === value)?.displayValue ?? value)
      .join(', ');
  }
  if (button.checkBox) return fieldValue === button.exportValue ? '[x]' : '[ ]';
  if (button.radioButton) return fieldValue === button.buttonValue ? '(x)' : '( )';
  return '';
}

function noteOf({ subtype, contentsObj }: Annotation): string {
  const text = contentsObj?.str ?? '';
  // The description of a link is that of its target.
  if (text.trim() === '' || subtype === 'Link' || subtype === 'Popup') return '';
  return subtype === 'FreeText' ? text : `Note: ${text}`;
}

/** A rectangle of the page. */
interface Area {
  readonly left: number;
  readonly bottom: number;
  readonly right: number;
  readonly top: number;
}

function areaOf([x1 = 0, y1 = 0, x2 = 0, y2 = 0]: readonly number[] = []): Area {
  return { left: Math.min(x1, x2), bottom: Math.min(y1, y2), right: Math.max(x1, x2), top: Math.max(y1, y2) };
}

/** Lines from the top of an area. @param like text that is as large */
function piecesOf(text: string, { left, right, top }: Area, like: Piece | undefined): Piece[] {
  const size = like?.size ?? usualSize;
  return text.split(/\r\n?|\n/).flatMap((line, at) => {
    const glyphs = [...oneLine(line)];
    const end = left + Math.max(Math.min(right - left, glyphs.length * size * meanWidth), size / 2);
    const y = top - (at + 1) * lineHeight * size;
    return glyphs.length === 0 ? [] : [{ glyphs, left, right: end, y, size, angle: 0 }];
  });
}

/** Moves the first line to that of a piece, and the others with it. */
function level(pieces: readonly Piece[], to: Piece | undefined): Piece[] {
  const shift = to && pieces[0] ? to.y - pieces[0].y : 0;
  return pieces.map((piece) => ({ ...piece, y: piece.y + shift }));
}

/** Finds what stands beside an area, among the level pieces by their height. */
class LevelPieces {
  readonly #byHeight: readonly (readonly [piece: Piece, at: number])[];

  constructor(pieces: readonly Piece[]) {
    this.#byHeight = [...pieces.entries()]
      .filter(([, { angle }]) => angle === 0)
      .map(([at, piece]) => [piece, at] as const)
      .toSorted(([a], [b]) => b.y - a.y);
  }

  /** Index of the nearest piece to the left of the upper lines of an area, or else to the right; -1 if there is none. */
  beside({ left, top, bottom }: Area): number {
    let found = -1;
    let nearest = Number.POSITIVE_INFINITY;
    const start = this.#firstBelow(top);
    for (const [piece, at] of this.#byHeight.slice(start, start + besideMax)) {
      if (piece.y < Math.max(bottom - piece.size / 3, top - 2 * lineHeight * piece.size)) break;
      const distance = piece.left <= left ? left - piece.left : 10 * (piece.left - left);
      if (distance < nearest) [found, nearest] = [at, distance];
    }
    return found;
  }

  #firstBelow(y: number): number {
    let start = 0;
    let end = this.#byHeight.length;
    while (start < end) {
      const middle = (start + end) >> 1;
      if ((this.#byHeight[middle]?.[0].y ?? 0) > y) start = middle + 1;
      else end = middle;
    }
    return start;
  }
}
