/** OpenDocument spreadsheets (ODS) as Markdown: a table for each sheet, with formatted cells. */
import { extractionLimits } from '../limits.ts';
import { readOpenDocument } from '../open-document.ts';
import type { ReaderResult, SourceFile } from '../reader.ts';
import { sheetCollector } from '../sheets.ts';
import { walkXml } from '../xml.ts';

interface Run {
  /** Repetitions of the cell or row; empty ones are often repeated a million times. */
  readonly times: number;
}

export async function readOds({ bytes }: SourceFile): Promise<ReaderResult> {
  const { content } = await readOpenDocument(bytes);
  const collector = sheetCollector();
  let row: Run & { readonly at: number; readonly cells: Map<number, string> } = {
    at: 0,
    times: 0,
    cells: new Map(),
  };
  let cell: Run & { readonly at: number; text: string } = { at: 0, times: 0, text: '' };
  let paragraphs = 0;
  let aside = 0;
  let isFull = false;

  const endCell = () => {
    const { at, times, text } = cell;
    if (text.trim() === '') return;
    const last = Math.min(at + times, extractionLimits.columns + 1);
    for (let column = at; column < last; column++) row.cells.set(column, text);
  };
  const endRow = () => {
    if (row.cells.size === 0) return;
    for (let copy = 0; copy < row.times && !isFull; copy++) {
      for (const [column, text] of row.cells) isFull ||= !collector.cell(row.at + copy, column, text);
    }
  };

  walkXml(content, {
    open({ name, attributes }) {
      if (name === 'annotation') aside++;
      else if (name === 'table') {
        collector.sheet(attributes['table:name'] ?? '');
        row = { at: 0, times: 0, cells: new Map() };
      } else if (name === 'table-row') {
        row = {
          at: row.at + row.times,
          times: repeated(attributes['table:number-rows-repeated']),
          cells: new Map(),
        };
        cell = { at: 0, times: 0, text: '' };
      } else if (name === 'table-cell' || name === 'covered-table-cell') {
        const times = repeated(attributes['table:number-columns-repeated']);
        cell = { at: cell.at + cell.times, times, text: '' };
      } else if (name === 'p' && aside === 0) {
        paragraphs++;
        if (cell.text) cell.text += ' ';
      } else if (name === 's' || name === 'tab' || name === 'line-break') cell.text += ' ';
    },
    text(value) {
      if (paragraphs > 0 && aside === 0) cell.text += value;
    },
    close(name) {
      if (name === 'annotation') aside--;
      else if (name === 'p' && aside === 0) paragraphs--;
      else if (name === 'table-cell' || name === 'covered-table-cell') endCell();
      else if (name === 'table-row') endRow();
    },
  });
  return collector.result();
}

function repeated(count: string | undefined): number {
  return Math.max(1, Number(count ?? 1) || 1);
}
