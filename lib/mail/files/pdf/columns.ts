/** Columns of running text that a program writes line by line across the page: they are read down the column. */
import type { Line, Segment } from './lines.ts';

/** A line distance of up to so many font sizes goes on in a column. */
const lineDistanceMax = 2;
/** So many lines stand beside one another: fewer are a table. */
const linesMin = 5;
/** The mean line of a column of text has so many characters; cells of tables are shorter. */
const proseCharacters = 24;

interface Column {
  left: number;
  right: number;
}

/** The lines, with those of columns one column after the other. Linear: a line is compared with the columns before it. */
export function readDownColumns(lines: readonly Line[]): Line[] {
  const result: Line[] = [];
  for (let start = 0; start < lines.length; ) {
    const end = endOfRun(lines, start);
    const run = lines.slice(start, end);
    const columns = end - start >= linesMin ? columnsOf(run) : null;
    for (const line of columns ? downColumns(run, columns) : run) result.push(line);
    start = end;
  }
  return result;
}

/** Index after the lines that stand below one another, of which one that is across the columns of the first is none. */
function endOfRun(lines: readonly Line[], start: number): number {
  const count = lines[start]?.segments.length ?? 0;
  let end = start + 1;
  if (count < 2) return end;
  const columns = (lines[start]?.segments ?? []).map(({ left, right }): Column => ({ left, right }));
  for (let line = lines[end]; line; line = lines[++end]) {
    const above = lines[end - 1];
    const distance = above ? above.y - line.y : 0;
    if (distance <= 0 || distance > lineDistanceMax * Math.max(line.size, above?.size ?? 0)) break;
    if (line.segments.length > count || !line.segments.every((segment) => fits(columns, segment))) break;
  }
  return end;
}

/** Widens the column that a segment is in; false if it reaches into another one. */
function fits(columns: readonly Column[], { left, right }: Segment): boolean {
  const at = columnAt(columns, left);
  const column = columns[at];
  const next = columns[at + 1];
  if (
    !column ||
    (next && right >= next.left) ||
    left < (columns[at - 1]?.right ?? Number.NEGATIVE_INFINITY)
  ) {
    return false;
  }
  column.left = Math.min(column.left, left);
  column.right = Math.max(column.right, right);
  return true;
}

/** The last column that begins left of a place, or less than that of the next one right of it. */
function columnAt(columns: readonly Column[], left: number): number {
  let found = 0;
  for (const [at, column] of columns.entries()) {
    const before = columns[at - 1];
    if (before && left > (before.right + column.left) / 2 - (column.left - before.right) / 4) found = at;
  }
  return found;
}

/** The columns of a run; null if its cells are short, or too few lines have them all. */
function columnsOf(run: readonly Line[]): Column[] | null {
  const count = run[0]?.segments.length ?? 0;
  const whole = run.filter(({ segments }) => segments.length === count);
  if (whole.length < linesMin) return null;
  const columns = Array.from({ length: count }, (_, at) => ({
    left: whole.reduce(
      (least, { segments }) => Math.min(least, segments[at]?.left ?? least),
      Number.POSITIVE_INFINITY,
    ),
    right: whole.reduce(
      (most, { segments }) => Math.max(most, segments[at]?.right ?? most),
      Number.NEGATIVE_INFINITY,
    ),
  }));
  const isProse = columns.every((_, at) => {
    const characters = whole.reduce((sum, { segments }) => sum + (segments[at]?.text.length ?? 0), 0);
    return characters > proseCharacters * whole.length;
  });
  return isProse ? columns : null;
}

function downColumns(run: readonly Line[], columns: readonly Column[]): Line[] {
  return columns.flatMap((_, at) =>
    run.flatMap((line) => {
      const [first, ...others] = line.segments.filter(({ left }) => columnAt(columns, left) === at);
      if (!first) return [];
      return [
        {
          ...line,
          segments: [first, ...others],
          left: first.left,
          right: (others.at(-1) ?? first).right,
        } as const,
      ];
    }),
  );
}
