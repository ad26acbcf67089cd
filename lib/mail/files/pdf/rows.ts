/** Rows of cells: lines of a page that stand side by side. */
import { extractionLimits } from '../limits.ts';
import type { Line, OpenSegment, Segment } from './lines.ts';

/** Its lines are separated by line feeds. */
type Cell = Segment;

/** A line, or the lines of neighbouring cells. */
export interface Row {
  readonly cells: readonly [Cell, ...Cell[]];
  readonly left: number;
  readonly right: number;
  /** The first and the last baseline. */
  readonly top: number;
  readonly bottom: number;
  readonly size: number;
}

/** A cell has at most so many lines; columns of a page have more. */
const cellLinesMax = 12;
/** A line distance of up to so many font sizes continues a cell. */
export const lineDistance = 1.6;

/** A row to which lines are added. */
interface OpenRow {
  readonly cells: [OpenSegment, ...OpenSegment[]];
  readonly top: number;
  bottom: number;
  right: number;
  /** Baseline of the line that was added last. */
  y: number;
  lines: number;
  readonly size: number;
}

/**
 * The rows of a page. Programs write a table line by line, or cell by cell with all lines of a cell: in the second case a
 * line stands beside an earlier one. Linear: a line is compared with the last few rows.
 */
export function rowsOf(lines: readonly Line[]): Row[] {
  const rows: OpenRow[] = [];
  for (const line of lines) {
    const row = rows.at(-1);
    if (row && continuesCell(row, line)) addLine(row, line);
    else if (!joinBeside(rows, line)) rows.push(opened(line));
  }
  return rows.map(({ cells, top, bottom, right, size }) => ({
    cells,
    left: cells[0].left,
    right,
    top,
    bottom,
    size,
  }));
}

function opened({ segments, y, right, size }: Line): OpenRow {
  const [first, ...others] = segments;
  const cells: OpenRow['cells'] = [{ ...first }, ...others.map((segment) => ({ ...segment }))];
  return { cells, top: y, bottom: y, right, y, lines: 1, size };
}

/** Whether the line is the next one of the row's last cell. In the first cell, a line begins the next row. */
function continuesCell({ cells, y, lines, size }: OpenRow, line: Line): boolean {
  const cell = cells.at(-1);
  const distance = y - line.y;
  if (!cell || cells.length < 2 || line.segments.length > 1 || lines >= cellLinesMax) return false;
  if (distance < size / 2 || distance > lineDistance * size) return false;
  return line.left >= cell.left - size / 2 && line.left < cell.right;
}

function addLine(row: OpenRow, { segments, right, y }: Line): void {
  const cell = row.cells.at(-1) ?? row.cells[0];
  cell.text += `\n${segments[0].text}`;
  cell.right = Math.max(cell.right, right);
  row.right = Math.max(row.right, right);
  row.y = y;
  row.bottom = Math.min(row.bottom, y);
  row.lines++;
}

/** Adds a line to the row that it stands beside; the rows after that one are lines of its cell. */
function joinBeside(rows: OpenRow[], line: Line): boolean {
  for (let at = rows.length - 1; at >= Math.max(0, rows.length - cellLinesMax); at--) {
    const row = rows[at];
    if (!row || line.left < row.right - row.size / 2) return false;
    if (Math.abs(row.top - line.y) > row.size / 2) continue;
    const below = rows.slice(at + 1);
    if (row.cells.length + line.segments.length > extractionLimits.columns) return false;
    if (
      below.some(({ cells, top, size }, index) => cells.length > 1 || isApart(rows[at + index], top, size))
    ) {
      return false;
    }
    for (const one of below) {
      const cell = row.cells.at(-1) ?? row.cells[0];
      cell.text += `\n${one.cells[0].text}`;
      cell.right = Math.max(cell.right, one.right);
      row.bottom = Math.min(row.bottom, one.bottom);
      row.right = Math.max(row.right, one.right);
      row.lines += one.lines;
    }
    rows.length = at + 1;
    row.cells.push(...line.segments.map((segment) => ({ ...segment })));
    row.right = Math.max(row.right, line.right);
    row.y = line.y;
    return true;
  }
  return false;
}

function isApart(above: OpenRow | undefined, top: number, size: number): boolean {
  return above !== undefined && above.bottom - top > lineDistance * size;
}
