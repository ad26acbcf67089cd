/** Colors of CSS (CSS Color Module Level 4) as numbers, and how well one can be read on another (WCAG 2.2, contrast ratio). */

/** Red, green and blue of 0 to 255, and alpha of 0 to 1. */
export type Color = readonly [red: number, green: number, blue: number, alpha: number];

export const white: Color = [255, 255, 255, 1];
export const black: Color = [0, 0, 0, 1];

/** Named colors that are near white or black, or usual for texts or backgrounds. An unknown name is no color: nothing follows from it. */
const named: Readonly<Record<string, string>> = {
  aliceblue: 'f0f8ff',
  antiquewhite: 'faebd7',
  azure: 'f0ffff',
  beige: 'f5f5dc',
  black: '000000',
  blue: '0000ff',
  brown: 'a52a2a',
  cornsilk: 'fff8dc',
  crimson: 'dc143c',
  darkblue: '00008b',
  darkgray: 'a9a9a9',
  darkgreen: '006400',
  darkgrey: 'a9a9a9',
  darkred: '8b0000',
  floralwhite: 'fffaf0',
  fuchsia: 'ff00ff',
  gainsboro: 'dcdcdc',
  ghostwhite: 'f8f8ff',
  gold: 'ffd700',
  gray: '808080',
  green: '008000',
  grey: '808080',
  honeydew: 'f0fff0',
  ivory: 'fffff0',
  lavender: 'e6e6fa',
  lavenderblush: 'fff0f5',
  lemonchiffon: 'fffacd',
  lightcyan: 'e0ffff',
  lightgoldenrodyellow: 'fafad2',
  lightgray: 'd3d3d3',
  lightgreen: '90ee90',
  lightgrey: 'd3d3d3',
  lightyellow: 'ffffe0',
  lime: '00ff00',
  linen: 'faf0e6',
  magenta: 'ff00ff',
  maroon: '800000',
  midnightblue: '191970',
  mintcream: 'f5fffa',
  mistyrose: 'ffe4e1',
  navy: '000080',
  oldlace: 'fdf5e6',
  olive: '808000',
  orange: 'ffa500',
  papayawhip: 'ffefd5',
  purple: '800080',
  red: 'ff0000',
  seashell: 'fff5ee',
  silver: 'c0c0c0',
  snow: 'fffafa',
  teal: '008080',
  white: 'ffffff',
  whitesmoke: 'f5f5f5',
  yellow: 'ffff00',
};

const hexForm = /^#?([0-9a-f]{8}|[0-9a-f]{6}|[0-9a-f]{3,4})$/;
const functionForm = /^(rgb|hsl)a?\(([^()]{3,60})\)$/;

/** A color, or null for what is none. @param text of CSS or of an attribute such as `bgcolor` */
export function parseColor(text: string): Color | null {
  const value = text.trim().toLowerCase();
  if (value === 'transparent') return [0, 0, 0, 0];
  const name = Object.hasOwn(named, value) ? named[value] : undefined;
  const digits = name ?? hexForm.exec(value)?.[1];
  if (digits !== undefined) return ofHex(digits);
  const [, kind, inside] = functionForm.exec(value) ?? [];
  return inside === undefined ? null : ofFunction(kind === 'hsl', inside);
}

function ofHex(digits: string): Color {
  const whole = digits.length <= 4 ? digits.replace(/./g, '$&$&') : digits;
  const part = (at: number) => Number.parseInt(whole.slice(at, at + 2), 16);
  return [part(0), part(2), part(4), whole.length === 8 ? part(6) / 255 : 1];
}

function ofFunction(isHsl: boolean, inside: string): Color | null {
  const parts = inside.split(/[\s,/]+/).filter((part) => part !== '');
  const [first, second, third, alpha = '1'] = parts;
  if (first === undefined || second === undefined || third === undefined) return null;
  const numbers = [first, second, third].map(Number.parseFloat);
  const opacity = Number.parseFloat(alpha) / (alpha.endsWith('%') ? 100 : 1);
  if ([...numbers, opacity].some(Number.isNaN)) return null;
  const [a = 0, b = 0, c = 0] = numbers;
  if (isHsl) return ofHsl(a, b / 100, c / 100, opacity);
  const scale = first.endsWith('%') ? 2.55 : 1;
  return [a * scale, b * scale, c * scale, opacity];
}

function ofHsl(hue: number, saturation: number, lightness: number, alpha: number): Color {
  const amount = saturation * Math.min(lightness, 1 - lightness);
  const part = (offset: number) => {
    const at = (((offset + hue / 30) % 12) + 12) % 12;
    return 255 * (lightness - amount * Math.max(-1, Math.min(at - 3, 9 - at, 1)));
  };
  return [part(0), part(8), part(4), alpha];
}

/** A color over a background. */
export function over([red, green, blue, alpha]: Color, background: Color): Color {
  const mix = (front: number, back: number) => front * alpha + back * (1 - alpha);
  return [mix(red, background[0]), mix(green, background[1]), mix(blue, background[2]), 1];
}

/** The contrast ratio of two opaque colors, 1 to 21. */
export function contrast(one: Color, other: Color): number {
  const [light, dark] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return ((light ?? 0) + 0.05) / ((dark ?? 0) + 0.05);
}

function luminance([red, green, blue]: Color): number {
  const linear = (part: number) => {
    const share = part / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  };
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
}
