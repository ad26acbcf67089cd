/** Collects the cells of a workbook within limits, as one table for each sheet. */
import { extractionLimits } from './limits.ts';
import { escapeTags, markdownTable } from './markdown.ts';
import type { ReaderResult } from './reader.ts';

export interface SheetCollector {
  /** Begins the next sheet. */
  sheet(name: string): void;
  /** Adds a cell by zero-based indexes; false once the limit of cells is reached. */
  cell(row: number, column: number, text: string): boolean;
  result(): ReaderResult;
}

/** Rows by number, cells by column: sheets are sparse. */
type Sheet = { readonly name: string; readonly rows: Map<number, Map<number, string>> };

export function sheetCollector(): SheetCollector {
  const sheets: Sheet[] = [];
  let cells = 0;
  let isPartial = false;
  return {
    sheet(name) {
      sheets.push({ name, rows: new Map() });
    },
    cell(row, column, text) {
      const rows = sheets.at(-1)?.rows;
      if (!rows || text.trim() === '') return true;
      cells++;
      if (cells > extractionLimits.cells || column >= extractionLimits.columns) {
        isPartial = true;
        return cells <= extractionLimits.cells;
      }
      const ofRow = rows.get(row) ?? new Map<number, string>();
      rows.set(row, ofRow.set(column, text));
      return true;
    },
    result() {
      const tables = sheets.map(tableOf);
      const isCut = isPartial || tables.some(({ isWhole }) => !isWhole);
      return {
        text: tables
          .map(({ text }) => text)
          .filter(Boolean)
          .join('\n\n'),
        format: 'markdown',
        isPartial: isCut,
        warnings: isCut
          ? [
              `The workbook is too large to be shown as a whole: ${extractionLimits.cells} cells in ${extractionLimits.columns} columns at most.`,
            ]
          : [],
      };
    },
  };
}

/** Empty rows and columns are left out. */
function tableOf({ name, rows }: Sheet): { text: string; isWhole: boolean } {
  const columns = [...new Set([...rows.values()].flatMap((cells) => [...cells.keys()]))].sort(
    (a, b) => a - b,
  );
  if (columns.length === 0) return { text: '', isWhole: true };
  // A sparse sheet can make a large table.
  const rowsMax = Math.floor(extractionLimits.tableCells / columns.length);
  const shown = [...rows].sort(([a], [b]) => a - b).slice(0, rowsMax);
  const table = shown.map(([, cells]) => columns.map((column) => cells.get(column) ?? ''));
  return {
    text: `## ${escapeTags(name)}\n\n${markdownTable(table)}`,
    isWhole: shown.length === rows.size,
  };
}
