/** Collects the cells and notes of a workbook within limits, as one table for each sheet. */
import { extractionLimits } from './limits.ts';
import { escapeTags, escapeText, markdownTable, oneLine } from './markdown.ts';
import type { ReaderResult } from './reader.ts';

export interface SheetCollector {
  /** Begins the next sheet. */
  sheet(name: string, isHidden: boolean): void;
  /** Adds a cell by zero-based indexes; false once a limit is reached. */
  cell(row: number, column: number, text: string): boolean;
  /** Marks a row that the sheet hides. */
  hideRow(row: number): void;
  /** Marks columns that the sheet hides, from the first up to the last. */
  hideColumns(first: number, last: number): void;
  /** Adds text outside of the cells, such as a comment. */
  note(label: string, text: string): void;
  /** @param missing sentences about words that are not shown; each makes the result partial */
  result(missing: readonly string[], warnings?: readonly string[]): ReaderResult;
}

interface Sheet {
  readonly name: string;
  readonly isHidden: boolean;
  /** Rows by number, cells by column: sheets are sparse. */
  readonly rows: Map<number, Map<number, string>>;
  readonly hiddenRows: Set<number>;
  readonly hiddenColumns: Set<number>;
  readonly notes: string[];
}

/** Precedes what is hidden: the name of a sheet, the first cell of a row or of a column. */
const hiddenMark = '(hidden)';

export function sheetCollector(): SheetCollector {
  const sheets: Sheet[] = [];
  let cells = 0;
  let characters = 0;
  let isPartial = false;
  /** Columns before are not marked again: ranges are in order, and many could overlap. */
  let hiddenEnd = 0;
  /** Whether a text still fits; one string can be shared by all the cells. */
  const fits = (text: string): boolean => {
    cells++;
    characters += text.length;
    isPartial ||= cells > extractionLimits.cells || characters > extractionLimits.textBytes;
    return cells <= extractionLimits.cells && characters <= extractionLimits.textBytes;
  };
  return {
    sheet(name, isHidden) {
      hiddenEnd = 0;
      const empty = { rows: new Map(), hiddenRows: new Set<number>(), hiddenColumns: new Set<number>() };
      sheets.push({ name, isHidden, ...empty, notes: [] });
    },
    cell(row, column, text) {
      const rows = sheets.at(-1)?.rows;
      if (!rows || text.trim() === '') return true;
      if (!fits(text)) return false;
      if (column >= extractionLimits.columns) isPartial = true;
      else {
        const ofRow = rows.get(row) ?? new Map<number, string>();
        rows.set(row, ofRow.set(column, text));
      }
      return true;
    },
    hideRow(row) {
      sheets.at(-1)?.hiddenRows.add(row);
    },
    hideColumns(first, last) {
      if (!(first <= last)) return;
      const columns = sheets.at(-1)?.hiddenColumns;
      const end = Math.min(last, extractionLimits.columns);
      for (let column = Math.max(0, first, hiddenEnd); column <= end; column++) columns?.add(column);
      hiddenEnd = Math.max(hiddenEnd, end + 1);
    },
    note(label, text) {
      const line = oneLine(text);
      if (line !== '' && fits(line)) sheets.at(-1)?.notes.push(`${label}: ${line}`);
    },
    result(missing, warnings = []) {
      const parts = sheets.map(textOfSheet);
      const isCut = isPartial || parts.some(({ isWhole }) => !isWhole);
      const most =
        characters > extractionLimits.textBytes
          ? `${extractionLimits.textBytes} characters`
          : `${extractionLimits.cells} cells in ${extractionLimits.columns} columns`;
      const cut = `The workbook is too large to be shown as a whole: ${most} at most.`;
      return {
        text: parts
          .map(({ text }) => text)
          .filter(Boolean)
          .join('\n\n'),
        format: 'markdown',
        isPartial: isCut || missing.length > 0,
        warnings: [...(isCut ? [cut] : []), ...missing, ...warnings],
      };
    },
  };
}

/** A heading, the table and the notes; empty if the sheet is empty. */
function textOfSheet(sheet: Sheet): { text: string; isWhole: boolean } {
  const { rows, isWhole } = tableOf(sheet);
  const blocks = [markdownTable(rows), ...sheet.notes.map(escapeText)].filter(Boolean);
  const heading = `## ${sheet.isHidden ? `${hiddenMark} ` : ''}${escapeTags(oneLine(sheet.name))}`;
  return { text: blocks.length > 0 ? [heading, ...blocks].join('\n\n') : '', isWhole };
}

/** Empty rows and columns are left out. */
function tableOf({ rows, hiddenRows, hiddenColumns }: Sheet): { rows: string[][]; isWhole: boolean } {
  const columns = [...new Set([...rows.values()].flatMap((cells) => [...cells.keys()]))].sort(
    (a, b) => a - b,
  );
  if (columns.length === 0) return { rows: [], isWhole: true };
  // A sparse sheet can make a large table.
  const rowsMax = Math.floor(extractionLimits.tableCells / columns.length);
  const shown = [...rows].sort(([a], [b]) => a - b).slice(0, rowsMax);
  const unmarked = new Set(columns.filter((column) => hiddenColumns.has(column)));
  const table = shown.map(([row, cells]) => {
    let isMarked = !hiddenRows.has(row);
    return columns.map((column) => {
      const text = cells.get(column);
      if (!text) return '';
      const isFirst = unmarked.delete(column) || !isMarked;
      isMarked = true;
      return isFirst ? `${hiddenMark} ${text}` : text;
    });
  });
  return { rows: table, isWhole: shown.length === rows.size };
}
