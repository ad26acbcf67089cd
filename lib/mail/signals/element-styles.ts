/** Whether a person sees the text of an element: by its size, place, color and display. */
import { type Color, contrast, over, parseColor } from '../html/css-colors.ts';
import type { Declaration } from './css-rules.ts';

/** How a text is hidden, in the words of a detail. */
export type HiddenBy =
  | 'is not displayed'
  | 'is invisible'
  | 'is transparent'
  | 'has the color of its background'
  | 'is too small to read'
  | 'is outside of the page'
  | 'is in a box without size';

export interface ElementStyle {
  readonly color: Color;
  /** null: unknown, such as an image. */
  readonly background: Color | null;
  readonly fontPixels: number;
  readonly isInvisible: boolean;
  readonly indentPixels: number;
  /** By itself or an enclosing element; nothing inside can undo it. */
  readonly hiddenBy: HiddenBy | null;
}

/** Contrast below which nobody reads: of white, `#ececec` is just above. */
const contrastMin = 1.2;
const fontPixelsMin = 2;
const offscreenPixels = -100;
const opacityMin = 0.1;
const keywordPixels: Readonly<Record<string, number>> = {
  'xx-small': 9,
  'x-small': 10,
  smaller: 13,
  small: 13,
};

/** How the text directly in an element is hidden, or null. */
export function hiddenByStyle(style: ElementStyle): HiddenBy | null {
  if (style.hiddenBy !== null) return style.hiddenBy;
  if (style.isInvisible) return 'is invisible';
  if (style.fontPixels < fontPixelsMin) return 'is too small to read';
  if (style.indentPixels <= offscreenPixels) return 'is outside of the page';
  if (style.color[3] < opacityMin) return 'is transparent';
  const { background } = style;
  if (background === null) return null;
  return contrast(over(style.color, background), background) < contrastMin
    ? 'has the color of its background'
    : null;
}

/** The style of an element. @param declarations those that count less first */
export function elementStyle(outer: ElementStyle, declarations: readonly Declaration[]): ElementStyle {
  if (declarations.length === 0) return outer;
  const values = new Map(declarations.map(({ property, value }) => [property, value]));
  const fill = values.get('-webkit-text-fill-color') ?? values.get('color');
  const visibility = values.get('visibility');
  const indent = values.get('text-indent');
  return {
    color: (fill === undefined ? null : parseColor(fill)) ?? outer.color,
    background: backgroundOf(values, outer.background),
    fontPixels: fontPixelsOf(values, outer.fontPixels),
    isInvisible:
      visibility === undefined || visibility === 'inherit'
        ? outer.isInvisible
        : /^(?:hidden|collapse)/.test(visibility),
    indentPixels: (indent === undefined ? null : pixelsOf(indent, outer.fontPixels)) ?? outer.indentPixels,
    hiddenBy: outer.hiddenBy ?? boxHiddenBy(values, outer.fontPixels),
  };
}

type Values = ReadonlyMap<string, string>;

function backgroundOf(values: Values, outer: Color | null): Color | null {
  const image = values.get('background-image') ?? '';
  const shorthand = values.get('background');
  if (/url\(|gradient/.test(image) || /url\(|gradient/.test(shorthand ?? '')) return null;
  const named = values.get('background-color') ?? shorthand;
  if (named === undefined) return outer;
  const color = parseColor(named) ?? firstColor(named);
  if (color === null || color[3] === 0) return outer;
  return outer === null ? (color[3] === 1 ? color : null) : over(color, outer);
}

function firstColor(shorthand: string): Color | null {
  for (const part of shorthand.slice(0, 200).split(/\s+(?![^(]{0,60}\))/)) {
    const color = parseColor(part);
    if (color !== null) return color;
  }
  return null;
}

function fontPixelsOf(values: Values, outer: number): number {
  const size =
    values.get('font-size') ??
    /(?:^|\s)(-?[\d.]+(?:px|pt|em|rem|%|vw)|0)(?:\s*\/|\s)/.exec(values.get('font') ?? '')?.[1];
  if (size === undefined) return outer;
  return keywordPixels[size] ?? pixelsOf(size, outer) ?? Math.max(outer, 16);
}

/** Pixels of a length; null for what is none. */
function pixelsOf(text: string, fontPixels: number): number | null {
  const [, number = '', unit = ''] =
    /^([+-]?[\d.]{1,12})\s*(px|pt|em|ex|ch|rem|%|vw|vh|in|cm|mm)?/.exec(text.trim()) ?? [];
  const value = Number.parseFloat(number);
  if (Number.isNaN(value)) return null;
  const factors: Readonly<Record<string, number>> = {
    pt: 4 / 3,
    em: fontPixels,
    ex: fontPixels / 2,
    ch: fontPixels / 2,
    rem: 16,
    '%': fontPixels / 100,
    vw: 6,
    vh: 8,
    in: 96,
    cm: 38,
    mm: 3.8,
  };
  return value * (factors[unit] ?? 1);
}

function boxHiddenBy(values: Values, fontPixels: number): HiddenBy | null {
  const value = (property: string) => values.get(property) ?? '';
  const pixels = (property: string) => pixelsOf(value(property), fontPixels);
  if (value('display').startsWith('none')) return 'is not displayed';
  const opacity = Number.parseFloat(value('opacity')) / (value('opacity').endsWith('%') ? 100 : 1);
  if (opacity < opacityMin || /opacity\(\s*(?:0|0?\.0\d*)%?\s*\)/.test(value('filter')))
    return 'is transparent';
  const isClipped = [value('overflow'), value('overflow-x'), value('overflow-y')].some((one) =>
    /hidden|clip/.test(one),
  );
  const sizes = ['height', 'max-height', 'width', 'max-width'].map((property) => ({
    text: value(property),
    size: pixels(property),
  }));
  if (
    isClipped &&
    sizes.some(
      ({ text, size }) =>
        (size !== null && size <= 1 && !/^[\d.]+(?:%|v)/.test(text)) || /^0(?:%|v)/.test(text),
    )
  ) {
    return 'is in a box without size';
  }
  if (/scale(?:3d|x|y)?\(\s*0(?:\.0\d*)?\s*[,)]/.test(value('transform'))) return 'is in a box without size';
  if (isCutAway(values)) return 'is in a box without size';
  return isOffscreen(values, pixels) ? 'is outside of the page' : null;
}

function isCutAway(values: Values): boolean {
  const isPlaced = /absolute|fixed/.test(values.get('position') ?? '');
  const clip = values.get('clip') ?? '';
  const edges =
    /^rect\(([^)]{1,60})\)/
      .exec(clip)?.[1]
      ?.split(/[\s,]+/)
      .map(Number.parseFloat) ?? [];
  if (isPlaced && edges.length === 4 && edges.every((edge) => Math.abs(edge) <= 1)) return true;
  return /^(?:inset\(\s*(?:[5-9]\d|100)%|circle\(\s*0|polygon\(\s*0(?:px)?\s+0(?:px)?\s*\))/.test(
    values.get('clip-path') ?? '',
  );
}

function isOffscreen(values: Values, pixels: (property: string) => number | null): boolean {
  const isFar = (property: string) => (pixels(property) ?? 0) <= offscreenPixels;
  const isPlaced = /absolute|fixed|relative/.test(values.get('position') ?? '');
  if (isPlaced && ['left', 'top', 'right', 'bottom'].some(isFar)) return true;
  if (isFar('margin-left') || (pixels('margin-top') ?? 0) <= -1000) return true;
  return /translate(?:3d|x|y)?\([^)]{0,40}-(?:\d{3,}|\d{2,}0%)/.test(values.get('transform') ?? '');
}
