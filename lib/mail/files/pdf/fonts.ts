/** The fonts of a PDF, as far as text needs them: measures, and which characters have Unicode. */
import type { Page } from './page.ts';

/** A glyph as the library shows it. */
export interface Glyph {
  readonly originalCharCode: number;
  readonly unicode: string;
  /** In units of the font. */
  readonly width: number;
  readonly vmetric?: readonly number[] | null;
  readonly isSpace: boolean;
}

export interface Font {
  /** Size of a unit of glyph widths, at size 1. */
  readonly unit: number;
  /** Height of a line at size 1: fonts of drawn glyphs choose their own. */
  readonly height: number;
  readonly isVertical: boolean;
  /** `[advance, x, y]` of glyphs that have none of their own, in units of the font. */
  readonly verticalMetrics: readonly number[] | null;
  /** Whether codes have one byte. */
  readonly isSimple: boolean;
  /** Whether the file gives the Unicode of a code. */
  hasUnicode(code: number): boolean;
}

/** What the library gives of a font; some of it is in no type of its own. */
interface LoadedFont {
  readonly fontMatrix?: readonly number[];
  readonly bbox?: readonly number[];
  readonly isType3Font?: boolean;
  readonly vertical?: boolean;
  readonly defaultVMetrics?: readonly number[] | null;
  readonly composite?: boolean;
  readonly type?: string;
  readonly isSymbolicFont?: boolean;
  readonly differences?: readonly unknown[];
  readonly missingFile?: boolean;
  readonly toUnicode?: { readonly _map?: Readonly<Record<number, unknown>> };
}

/** The font of a name; null if it could not be loaded. */
export function fontOf(page: Page, name: string): Font | null {
  const { commonObjs } = page;
  const loaded: unknown = commonObjs.has(name) ? commonObjs.get(name) : null;
  if (typeof loaded !== 'object' || loaded === null) return null;
  const font: LoadedFont = loaded;
  const matrix = font.fontMatrix ?? [0.001, 0, 0, 0.001];
  const known = font.toUnicode?._map;
  const isUnsure = isGuessed(font);
  return {
    unit: matrix[0] || 0.001,
    height: font.isType3Font ? drawnHeight(matrix, font.bbox) : 1,
    isVertical: font.vertical === true,
    verticalMetrics: font.defaultVMetrics ?? null,
    isSimple: !font.composite,
    // A map without entries of its own takes codes for Unicode.
    hasUnicode: (code) => known?.[code] !== undefined && (code < asciiEnd || !isUnsure),
  };
}

/** Encodings have more entries than the map of a font that has only the characters of a text. */
const encodingEntries = 200;
const asciiEnd = 0x7f;

/** Whether the map is that of an encoding which the font does not name: it has signs of its own, and no map of them. */
function isGuessed({ type, isSymbolicFont, differences = [], missingFile, toUnicode }: LoadedFont): boolean {
  if (type !== 'TrueType' || !isSymbolicFont || missingFile || Object.keys(differences).length > 0)
    return false;
  return Object.keys(toUnicode?._map ?? {}).length >= encodingEntries;
}

function drawnHeight(matrix: readonly number[], bbox: readonly number[] = []): number {
  const unit = Math.abs(matrix[3] ?? 0) || 0.001;
  const height = Math.abs((bbox[3] ?? 0) - (bbox[1] ?? 0));
  return unit * (height || 1000);
}

/** Codes that are no text: controls, noncharacters, and private use, except the symbol fonts of Office (bullets, ticks). */
const noText = /[\p{Cc}\p{Cn}\ufffd]|(?![\uf020-\uf0ff])\p{Co}/u;
const printable = /^[\x21-\x7e]$/;

/** Some programs write half of the Unicode of an Arabic ligature, which then is that of another script. */
const halfWritten = /[\p{sc=Arabic}\p{sc=Hebrew}][\p{sc=Han}\p{sc=Hangul}]/u;

/** The text of a glyph, and whether it is known. Unknown text is U+FFFD, or what its code is in ASCII. */
export function textOfGlyph(
  { unicode, originalCharCode }: Glyph,
  font: Font,
): { written: string; isMapped: boolean } {
  if (/^[\s\u00a0]+$/u.test(unicode) && unicode !== '\0') return { written: ' ', isMapped: true };
  if (font.hasUnicode(originalCharCode) && !noText.test(unicode) && !halfWritten.test(unicode)) {
    return { written: unicode, isMapped: true };
  }
  // Codes of one byte are ASCII in many fonts that do not say so.
  return { written: font.isSimple && printable.test(unicode) ? unicode : '\ufffd', isMapped: false };
}
