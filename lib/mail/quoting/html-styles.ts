/** Owns the reading of text color and weight from the markup of html. */
import { type Color, parseColor } from '../html/css-colors.ts';
import { lineStyles } from './text-document.ts';

const colorStyle = /(?:^|[;\s])color\s*:\s*([^;!]{3,40})/i;
/** Difference of the strongest and the weakest part of a color that nobody calls black or grey. */
const chromaMin = 60;

/** The style inside an element, see `lineStyles`; undefined inside a link. */
export function textStyle(
  name: string,
  attributes: ReadonlyMap<string, string>,
  outer: number | undefined,
): number | undefined {
  if (outer === undefined || name === 'a') return undefined;
  const isBold = name === 'b' || name === 'strong';
  const style = attributes.get('style');
  const value =
    (style?.includes('olor') ? colorStyle.exec(style)?.[1] : undefined) ??
    (name === 'font' ? attributes.get('color') : undefined);
  const color = value === undefined ? outer & (lineStyles.bold - 1) : numberOf(parseColor(value));
  return color | (isBold ? lineStyles.bold : outer & lineStyles.bold);
}

/** True for a style with a color that contrasts with black and grey. */
export function isChromatic(style: number): boolean {
  const color = (style & (lineStyles.bold - 1)) - 1;
  if (color < 0) return false;
  const parts = [color >> 16, (color >> 8) & 0xff, color & 0xff];
  return Math.max(...parts) - Math.min(...parts) >= chromaMin;
}

function numberOf(color: Color | null): number {
  if (color === null || color[3] === 0) return 0;
  const [red, green, blue] = color.map((part) => Math.round(Math.min(255, Math.max(0, part))));
  return ((red ?? 0) << 16) + ((green ?? 0) << 8) + (blue ?? 0) + 1;
}
