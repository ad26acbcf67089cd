/** Tables of a PDF page: rows whose cells stand in columns. */
import { lineDistance, type Row } from './rows.ts';

interface Column {
  readonly left: number;
  readonly right: number;
}

export interface FoundTable {
  readonly rows: readonly (readonly string[])[];
  /** Index after its last row. */
  readonly end: number;
}

/** A page has fewer; the search for a table stays bounded. */
const tableRowsMax = 500;
/** Rows of a table are at most so many font sizes apart. */
const rowDistanceMax = 5;
/** Two columns of prose: each has so many characters in the mean line, and little else. */
const proseCharacters = 32;

/** The table that begins at a row; null if none does. The rows are read a bounded number of times. */
export function tableAt(rows: readonly Row[], start: number): FoundTable | null {
  const first = rows[start];
  if (!first || first.cells.length < 2) return null;
  let end = start + 1;
  for (let row = rows[end]; row && isNear(rows[end - 1], row); row = rows[++end]) {
    if (end - start >= tableRowsMax) break;
    if (row.cells.length === 1 && !isWithin(row, rows.slice(start, start + 3))) break;
  }
  while (end > start && rows[end - 1]?.cells.length === 1 && !isCellLine(rows[end - 2], rows[end - 1])) end--;
  const run = rows.slice(start, end);
  const columns = columnsOf(run);
  if (columns === null) return null;
  const cells = cellsOf(run, columns);
  return cells.length < 2 || isProse(cells) ? null : { rows: cells, end };
}

function isNear(above: Row | undefined, row: Row): boolean {
  if (!above) return false;
  const distance = above.bottom - row.top;
  return distance > 0 && distance <= rowDistanceMax * Math.max(above.size, row.size);
}

/** Whether a single cell is narrower than the table around it: a paragraph below a table is not part of it. */
function isWithin(row: Row, table: readonly Row[]): boolean {
  const left = Math.min(...table.map((one) => one.left));
  const right = Math.max(...table.map((one) => one.right));
  return row.left >= left - row.size && row.right - row.left < (right - left) * 0.6;
}

function isCellLine(above: Row | undefined, row: Row | undefined): boolean {
  if (!above || !row || above.cells.length < 2) return false;
  const isTight = above.bottom - row.top <= lineDistance * row.size;
  return isTight && above.cells.slice(1).some((cell) => Math.abs(cell.left - row.left) <= row.size / 2);
}

/** The columns of the rows with the most cells, of which there must be two; null if their cells do not line up. */
function columnsOf(rows: readonly Row[]): Column[] | null {
  const counts = new Map<number, number>();
  for (const { cells } of rows) counts.set(cells.length, (counts.get(cells.length) ?? 0) + 1);
  const width = Math.max(...[...counts].map(([cells, times]) => (times >= 2 ? cells : 0)));
  if (width < 2) return null;
  const columns: { left: number; right: number }[] = [];
  for (const { cells } of rows.filter((row) => row.cells.length === width)) {
    for (const [at, { left, right }] of cells.entries()) {
      const column = columns[at];
      if (!column) columns.push({ left, right });
      else {
        column.left = Math.min(column.left, left);
        column.right = Math.max(column.right, right);
      }
    }
  }
  const isApart = columns.every(({ left }, at) => left >= (columns[at - 1]?.right ?? left));
  return isApart ? columns : null;
}

/** The texts in the columns. A tight row without a first cell holds further lines of the cells above. */
function cellsOf(rows: readonly Row[], columns: readonly Column[]): string[][] {
  const table: string[][] = [];
  let above: Row | undefined;
  for (const row of rows) {
    const texts = textsOf(row, columns);
    const last = table.at(-1);
    const isTight = above !== undefined && above.bottom - row.top <= lineDistance * row.size;
    if (last && isTight && texts[0] === '') {
      for (const [at, text] of texts.entries()) if (text) last[at] = `${last[at]} ${text}`.trim();
    } else table.push(texts);
    above = row;
  }
  return table;
}

/** The text in each column, left to right. */
function textsOf({ cells }: Row, columns: readonly Column[]): string[] {
  const texts = columns.map(() => '');
  let column = 0;
  for (const { text, left, right } of cells) {
    while (column < columns.length - 1 && isNearer(columns[column + 1], columns[column], left, right))
      column++;
    texts[column] = texts[column] ? `${texts[column]} ${text}` : text;
  }
  return texts;
}

/** Whether a cell is rather in the next column than in this one. */
function isNearer(
  next: Column | undefined,
  current: Column | undefined,
  left: number,
  right: number,
): boolean {
  if (!next || !current) return false;
  if (left > current.right) return true;
  return left >= next.left || (left + right) / 2 > (current.right + next.left) / 2;
}

/** Whether two columns hold running text, which some programs write line by line across both. */
function isProse(cells: readonly (readonly string[])[]): boolean {
  const [first] = cells;
  if (first?.length !== 2) return false;
  const meanOf = (at: number) => cells.reduce((sum, row) => sum + (row[at]?.length ?? 0), 0) / cells.length;
  return meanOf(0) > proseCharacters && meanOf(1) > proseCharacters;
}
