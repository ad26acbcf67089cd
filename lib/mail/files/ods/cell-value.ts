/** The text of a cell of an OpenDocument sheet (OpenDocument 1.3 part 3, 19.385). */

import { allDigits } from '../xlsx/cell-format.ts';
import type { Tag } from '../xml.ts';

/** A display that loses digits: powers of ten, or no room for the number. Of small numbers, values have fewer. */
const shortened = /^(?:[-+]?\d(?:[.,]\d+)?E\+?\d+|#+)$/i;
/** A display with more digits than count. */
const binary = /^-?\d+\.\d{15,}$/;

/** @param shown what the writer displayed, which the value replaces where it is missing or shortened */
export function textOfCell(attributes: Tag['attributes'], shown: string): string {
  const text = shown.trim();
  const isValue = text === attributes['office:value'] && binary.test(text);
  if (text !== '' && !isValue && !shortened.test(text)) return text;
  return typedValue(attributes) ?? text;
}

/** Whether the result of the formula of a cell is missing. */
export function isUncalculated(attributes: Tag['attributes'], shown: string): boolean {
  // A result can be an empty text.
  return (
    attributes['table:formula'] !== undefined &&
    shown.trim() === '' &&
    attributes['office:value-type'] === undefined &&
    attributes['calcext:value-type'] === undefined
  );
}

/** A formula without the prefix of its language, such as `of:`. */
export function formulaOf(attributes: Tag['attributes']): string {
  return (attributes['table:formula'] ?? '').replace(/^\w+:(?==)/, '');
}

function typedValue(attributes: Tag['attributes']): string | null {
  const value = attributes['office:value'] ?? '';
  const isNumber = value.trim() !== '' && Number.isFinite(Number(value));
  switch (attributes['office:value-type']) {
    case 'float':
      return isNumber ? allDigits(value) : null;
    case 'percentage':
      return isNumber ? `${allDigits(String(Number(value) * 100))}%` : null;
    case 'currency':
      return isNumber ? `${allDigits(value)} ${attributes['office:currency'] ?? ''}`.trim() : null;
    case 'date':
      return attributes['office:date-value']?.replace('T', ' ') ?? null;
    case 'time':
      return timeOf(attributes['office:time-value'] ?? '');
    case 'boolean':
      return attributes['office:boolean-value']?.toUpperCase() ?? null;
    default:
      return attributes['office:string-value'] ?? null;
  }
}

/** A duration such as `PT12H30M00S` as `12:30:00`. */
function timeOf(duration: string): string {
  const parts = /^(-?)PT(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)(?:[.,]\d+)?S)?$/.exec(duration);
  if (!parts) return duration;
  const [, sign = '', ...numbers] = parts;
  return sign + numbers.map((number = '0') => number.padStart(2, '0')).join(':');
}
