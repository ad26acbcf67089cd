/** Values of cells as a spreadsheet program shows them, by number format (ECMA-376 part 1, 18.8.30 and 18.8.31). */
import { format, getFormatFromId, isDateFormat, isTextFormat, isValidFormat } from 'numfmt';
import { withKnownLanguage } from './date-language.ts';

export interface CellFormat {
  /** @param literal a finite number, as the file has it */
  number(literal: string, isFrom1904: boolean): string;
  text(value: string): string;
}

/**
 * All digits of a number: fifteen count, as in the formula bar. Integers that a program has written with more are kept
 * as they are.
 */
export function allDigits(literal: string): string {
  if (/^-?[1-9]\d{15,}$/.test(literal)) return literal;
  const digits = String(Number(Number(literal).toPrecision(15)));
  return digits.replace(
    /e([+-])(\d+)$/,
    (_, sign: string, power: string) => `E${sign}${power.padStart(2, '0')}`,
  );
}

export const generalFormat: CellFormat = { number: allDigits, text: (value) => value };

/** Dates of the system's own format: its language is not known, so they are ISO. */
const systemDate: CellFormat = {
  ...generalFormat,
  number: (literal, isFrom1904) => isoOf(literal, isFrom1904),
};

/** The format of a built-in number, or of a pattern of the workbook. */
export function cellFormat(id: number, pattern: string | undefined): CellFormat {
  if (pattern !== undefined) return formatOfPattern(pattern);
  const builtIn = getFormatFromId(id);
  // 27 to 36 and 50 to 58 are dates or times in East Asia.
  return builtIn.startsWith('m/d/yyyy') || (id >= 32 && id <= 35) ? systemDate : formatOfPattern(builtIn);
}

/** Excel has patterns of up to 255 characters. */
const patternLength = 1000;
/** Stands for all digits of the number in a pattern; it is no symbol of patterns. */
const digitsMark = '\ue000';
/** A duration: `[h]:mm`. */
const elapsed = /\[(?:h+|m+|s+)\]/i;
/** All of a date pattern that has a meaning; in other languages than English, years or days have other letters. */
const dateSymbols = /"[^"]*"|[\\_*].|\[[^\]]*\]|am\/pm|a\/p|general|[ymdhsegab]/gis;
/** Literal text, an escaped character or a modifier, else the word General. */
const generalWord = /"[^"]*"|\\.|\[[^\]]*\]|(general)/gis;

function formatOfPattern(pattern: string): CellFormat {
  if (/^(?:general|@)$/i.test(pattern) || pattern.length > patternLength) return generalFormat;
  if (isTextFormat(pattern)) return { ...generalFormat, text: textFormat(pattern) };
  if (/\[\$-(?:F800|x-sysdate)[^\]]*\]/i.test(pattern)) return systemDate;
  const isDate = isDateFormat(pattern);
  if (isDate && /[a-z]/i.test(pattern.replace(dateSymbols, ''))) return systemDate;
  const valid = [readable(pattern, isDate), bare(readable(pattern, isDate))].find(isValidFormat);
  if (valid === undefined) return generalFormat;
  const isDuration = elapsed.test(pattern);
  const number: CellFormat['number'] = (literal, isFrom1904) => {
    // Cards and other long codes are often written with this format.
    if (pattern === '0' && isWhole.test(literal)) return allDigits(literal);
    if (isDuration && literal.startsWith('-')) return `-${formatted(valid, literal.slice(1))}`;
    const shift = isDate && !isDuration && isFrom1904 ? daysTo1904 : 0;
    return formatted(valid, shift ? String(Number(literal) + shift) : literal);
  };
  return { number, text: textFormat(pattern) };
}

const isWhole = /^-?\d+$/;

/** What the library reads as Excel does. */
function readable(pattern: string, isDate: boolean): string {
  const words = pattern
    .replace(generalWord, (part, word?: string) => (word ? `"${digitsMark}"` : part))
    .replaceAll('上午/下午', 'AM/PM');
  if (isDate) return withKnownLanguage(words.replace(/\[\$-F400\]/gi, ''));
  // Of one workbook, some numbers would have a comma and others a point.
  return words.replace(/\[\$([^\]-]*)-[^\]]*\]/g, (_, currency: string) =>
    currency ? `[$${currency}]` : '',
  );
}

/** A pattern without modifiers, of which other programs have more. */
function bare(pattern: string): string {
  return pattern.replace(/\[(?!(?:h+|m+|s+)\])[^\]]*\]/gi, '');
}

function formatted(pattern: string, literal: string): string {
  const value = Number(literal);
  try {
    const text = format(pattern, value, { dateSpanLarge: false, dateErrorThrows: true });
    const shown = text.replaceAll(digitsMark, allDigits(literal.replace(/^-/, '')));
    // A pattern that hides numbers; zeros alone are often hidden for looks.
    if (shown.trim() === '' && value !== 0) return allDigits(literal);
    // A pattern that tells negative numbers by their color.
    const isRed = value < 0 && pattern.includes(';') && text === format(pattern, -value);
    return isRed && /[1-9\ue000]/.test(text) ? `-${shown.trim()}` : shown;
  } catch {
    // No date that there is: the number.
    return allDigits(literal);
  }
}

/** Texts by the section of a pattern that is for them: `"Nr. "@`. */
function textFormat(pattern: string): CellFormat['text'] {
  const hasSection = pattern.replace(/"[^"]*"|\\./gs, '').includes('@') && isValidFormat(pattern);
  return hasSection ? (value) => format(pattern, value).trim() || value : generalFormat.text;
}

const daysTo1904 = 1462;

function isoOf(literal: string, isFrom1904: boolean): string {
  const value = Number(literal);
  const serial = value + (isFrom1904 ? daysTo1904 : 0);
  const isTime = value > 0 && value < 1;
  const date = Number.isInteger(serial) ? 'yyyy-mm-dd' : 'yyyy-mm-dd hh:mm:ss';
  return formatted(isTime ? 'hh:mm:ss' : date, String(serial)).replace(/(:\d\d):00$/, '$1');
}

/** The text of a cell that holds a date in ISO form (`t="d"`), by its format. */
export function dateText(value: string): string {
  return value
    .replace(/T00:00(?::00(?:\.0+)?)?Z?$/, '')
    .replace('T', ' ')
    .replace(/Z$/, '');
}
