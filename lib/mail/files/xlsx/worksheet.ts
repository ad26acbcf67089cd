/** The cells of a worksheet, with what it hides and prints around them (ECMA-376 part 1, 18.3). */
import type { SheetCollector } from '../sheets.ts';
import { type Tag, walkXml } from '../xml.ts';
import { type CellFormat, dateText, generalFormat } from './cell-format.ts';

/** The shared data of a workbook. */
export interface Book {
  readonly strings: readonly string[];
  /** Format of each cell style. */
  readonly formats: readonly CellFormat[];
  /** Whether dates count from 1904 (`date1904`). */
  readonly isFrom1904: boolean;
  /** Whether the writer left all calculation to the reader; results of zero are placeholders then. */
  readonly isUncalculated: boolean;
  /** Cells without a result, without their text, and with pictures or linked data, which have an error as value. */
  readonly lost: { formulas: number; strings: number; values: number };
}

interface Cell {
  readonly type: string;
  readonly style: number;
  value: string;
  hasValue: boolean;
  /** Null if there is none. */
  formula: string | null;
}

export function readWorksheet(content: Buffer, book: Book, collector: SheetCollector): void {
  let row = { at: -1, isHidden: false };
  let column = -1;
  let cell: Cell | null = null;
  let reading: 'value' | 'formula' | 'margin' | null = null;
  let isAid = false;
  let isFull = false;
  let margin = '';
  const margins = new Set<string>();

  const opened: Record<string, (attributes: Tag['attributes']) => void> = {
    col: ({ min, max, hidden, width }) => {
      if (isTrue(hidden) || Number(width ?? 1) === 0) collector.hideColumns(Number(min) - 1, Number(max) - 1);
    },
    row: ({ r, hidden, ht }) => {
      row = {
        at: indexOf(r) ?? row.at + 1,
        isHidden: isTrue(hidden) || Number(ht ?? 1) === 0,
      };
      column = -1;
    },
    c: ({ r = '', t = 'n', s, vm }) => {
      column = columnOf(r) ?? column + 1;
      if (t === 'e' && vm) book.lost.values++;
      cell = { type: t, style: Number(s ?? 0), value: '', hasValue: false, formula: null };
    },
    v: () => {
      reading = 'value';
      if (cell) cell.hasValue = true;
    },
    t: () => {
      reading = isAid ? null : 'value';
      if (cell) cell.hasValue = true;
    },
    rPh: () => {
      isAid = true;
    },
    f: () => {
      reading = 'formula';
      if (cell) cell.formula ??= '';
    },
  };
  const closed: Record<string, () => void> = {
    rPh: () => {
      isAid = false;
    },
    c: () => {
      if (cell && !isFull) {
        const text = textOfCell(cell, book);
        if (row.isHidden && text !== '') collector.hideRow(row.at);
        isFull = !collector.cell(row.at, column, text);
      }
      cell = null;
    },
  };
  walkXml(content, {
    open({ name, attributes }) {
      opened[name]?.(attributes);
      if (marginNames.test(name)) [reading, margin] = ['margin', ''];
    },
    text(text) {
      if (reading === 'margin') margin += text;
      else if (cell && reading === 'value') cell.value += text;
      else if (cell && reading === 'formula') cell.formula += text;
    },
    close(name) {
      closed[name]?.();
      if (reading === 'margin')
        for (const text of marginTexts(margin)) margins.add(`${name.slice(-6)}:${text}`);
      reading = null;
    },
  });
  for (const text of margins) collector.note(text.startsWith('Header') ? 'Header' : 'Footer', text.slice(7));
}

const isTrue = (flag: string | undefined): boolean => flag === '1' || flag === 'true';

/** Zero-based index of a row; null if it has none. */
function indexOf(row: string | undefined): number | null {
  return row && /^\d{1,9}$/.test(row) ? Number(row) - 1 : null;
}

/** Zero-based column of a reference such as `BC12`; null if it has none. */
function columnOf(reference: string): number | null {
  const letters = /^[A-Z]{1,3}/.exec(reference.toUpperCase())?.[0];
  if (!letters) return null;
  let column = 0;
  for (const letter of letters) column = column * 26 + letter.charCodeAt(0) - 64;
  return column - 1;
}

/** The text of a cell as it is shown, or its formula if the result is missing. */
function textOfCell(cell: Cell, book: Book): string {
  const { type, value, hasValue, formula } = cell;
  const isEmptyText = hasValue && type === 'str';
  const isPlaceholder = book.isUncalculated && value === '0' && (type === 'n' || type === 'str');
  if (formula === null || (!isPlaceholder && (value !== '' || isEmptyText))) return shownValue(cell, book);
  book.lost.formulas++;
  return `=${formula || '…'}`;
}

/** Types: ECMA-376 part 1, 18.18.11. */
function shownValue({ type, style, value }: Cell, book: Book): string {
  const format = book.formats[style] ?? generalFormat;
  if (type === 's' && value !== '') {
    const text = book.strings[Number(value)];
    if (text === undefined) book.lost.strings++;
    return text ? format.text(text) : '';
  }
  if (type === 'b' && value !== '') return isTrue(value.toLowerCase()) ? 'TRUE' : 'FALSE';
  if (type === 'd') return dateText(value);
  if (type === 'n' && value.trim() !== '' && Number.isFinite(Number(value))) {
    return format.number(value.trim(), book.isFrom1904);
  }
  const text = unescaped(value);
  return type === 'e' || text === '' ? text : format.text(text);
}

/** A string with its escaped characters, such as `_x000D_` (ST_Xstring: ECMA-376 part 1, 22.9.2.19). */
export function unescaped(text: string): string {
  return text.replace(/_x([0-9a-f]{4})_/gi, (_, code: string) => {
    const character = String.fromCharCode(Number.parseInt(code, 16));
    return character < ' ' ? ' ' : character;
  });
}

const marginNames = /^(?:odd|even|first)(?:Header|Footer)$/;
/** A section, a font, a color, a size, another code (18.3.1.39). */
const marginCodes = /&(?:([LCR])|"[^"]*"|K(?:[0-9A-F]{6}|[0-9]{2}[+-][0-9]{3})|\d+|(&)|([A-Z]))/gi;
const pageMark = '\ue000';

/** The sections of a page header or footer, without those that only count pages. */
function marginTexts(source: string): string[] {
  return source
    .replace(marginCodes, (_, section?: string, ampersand?: string, code?: string) => {
      if (section) return '\n';
      if (ampersand) return '&';
      return code && /[PN]/i.test(code) ? pageMark : '';
    })
    .split(/\n/)
    .filter((text) => !isPageCount(text, pageMark))
    .map((text) => text.replaceAll(pageMark, '…').trim())
    .filter((text) => /[\p{L}\p{N}]/u.test(text));
}

/**
 * Whether a text only counts pages, such as `Page 1 of 2` in any language: it has a word for each number.
 *
 * @param mark stands for its numbers
 */
export function isPageCount(text: string, mark: string): boolean {
  const numbers = text.split(mark).length - 1;
  const words = text.replaceAll(mark, ' ').match(/[\p{L}\p{M}\p{N}]+/gu)?.length ?? 0;
  return numbers > 0 && words <= Math.min(numbers, 2);
}
