/** Owns the reading of text color and weight from the markup of html. */
import { lineStyles } from './text-document.ts';

const colorStyle = /(?:^|[;\s])color\s*:\s*([^;!]{3,40})/i;
const rgb = /^rgba?\(\s*(\d{1,3})[\s,]+(\d{1,3})[\s,]+(\d{1,3})/i;
const hex = /^#([0-9a-f]{6}|[0-9a-f]{3})\s*$/i;
/** Colors that people choose for answers, by name. */
const named: Readonly<Record<string, number>> = {
  red: 0xff0000,
  darkred: 0x8b0000,
  crimson: 0xdc143c,
  blue: 0x0000ff,
  darkblue: 0x00008b,
  navy: 0x000080,
  green: 0x008000,
  darkgreen: 0x006400,
  purple: 0x800080,
  magenta: 0xff00ff,
  fuchsia: 0xff00ff,
  orange: 0xffa500,
  teal: 0x008080,
  maroon: 0x800000,
  brown: 0xa52a2a,
};
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
  const color = value === undefined ? outer & (lineStyles.bold - 1) : parseColor(value.trim());
  return color | (isBold ? lineStyles.bold : outer & lineStyles.bold);
}

/** True for a style with a color that contrasts with black and grey. */
export function isChromatic(style: number): boolean {
  const color = (style & (lineStyles.bold - 1)) - 1;
  if (color < 0) return false;
  const parts = [color >> 16, (color >> 8) & 0xff, color & 0xff];
  return Math.max(...parts) - Math.min(...parts) >= chromaMin;
}

function parseColor(value: string): number {
  const parts = rgb.exec(value);
  if (parts !== null) {
    return (
      ((Number(parts[1]) & 0xff) << 16) + ((Number(parts[2]) & 0xff) << 8) + (Number(parts[3]) & 0xff) + 1
    );
  }
  const digits = hex.exec(value)?.[1];
  if (digits !== undefined) {
    return Number.parseInt(digits.length === 6 ? digits : digits.replace(/./g, '$&$&'), 16) + 1;
  }
  const color = Object.hasOwn(named, value.toLowerCase()) ? named[value.toLowerCase()] : undefined;
  return color === undefined ? 0 : color + 1;
}
