/** Results as text: a list is a table, a record has one line for each field. */
import Table from 'cli-table3';
import stringWidth from 'string-width';
import { cleanLine } from './clean.ts';
import type { Terminal } from './terminal.ts';

export interface Column {
  readonly title: string;
  /** It gives way where the terminal is too narrow. */
  readonly flexible?: boolean;
}

/** A cell: text that is cleaned, or that is ready because it has colours (`styled`). */
export type Cell = string | { readonly styled: string };

/** A cell with colours. Its text must be clean. */
export const styled = (text: string): Cell => ({ styled: text });

const noBorders = Object.fromEntries(
  [
    ...['top', 'top-mid', 'top-left', 'top-right', 'bottom', 'bottom-mid', 'bottom-left', 'bottom-right'],
    ...['left', 'left-mid', 'mid', 'mid-mid', 'right', 'right-mid', 'middle'],
  ].map((name) => [name, '']),
);
const gap = 2;
const flexibleMin = 12;

/**
 * A table without borders.
 *
 * @param options.wrap breaks long flexible cells into lines instead of cutting them
 * @returns lines without a newline at the end
 */
export function table(
  columns: readonly Column[],
  rows: readonly (readonly Cell[])[],
  terminal: Pick<Terminal, 'colors' | 'columns'>,
  { wrap = false } = {},
): string {
  const texts = rows.map((row) =>
    row.map((cell) => (typeof cell === 'string' ? cleanLine(cell) : cell.styled)),
  );
  const widths = widthsOf(columns, texts, terminal.columns);
  const output = new Table({
    chars: noBorders,
    head: columns.map(({ title }) => terminal.colors.dim(title)),
    style: { 'padding-left': 0, 'padding-right': gap, head: [], border: [], compact: true },
    colWidths: widths,
    wordWrap: wrap,
    wrapOnWordBoundary: wrap,
  });
  output.push(...texts);
  return withoutTrailingSpaces(output.toString());
}

/** Widths with their gap; flexible columns share what the others leave. */
function widthsOf(columns: readonly Column[], rows: readonly (readonly string[])[], all: number): number[] {
  const natural = columns.map(
    ({ title }, at) => gap + Math.max(stringWidth(title), ...rows.map((row) => stringWidth(row[at] ?? ''))),
  );
  let excess = natural.reduce((sum, width) => sum + width, 0) - gap - all;
  // The widest gives first.
  const flexible = columns.flatMap(({ flexible: can }, at) => (can ? [at] : []));
  while (excess > 0) {
    const widest = flexible.reduce<number | null>(
      (best, at) => ((natural[at] ?? 0) > (best === null ? flexibleMin : (natural[best] ?? 0)) ? at : best),
      null,
    );
    if (widest === null) break;
    natural[widest] = (natural[widest] ?? 0) - 1;
    excess -= 1;
  }
  return natural;
}

const withoutTrailingSpaces = (text: string): string =>
  text
    .split('\n')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: colours end after the spaces
    .map((line) => line.replace(/\s+((?:\u001b\[[0-9;]*m)*)$/, '$1'))
    .join('\n');

/** One line for each field. */
export function fields(
  entries: readonly (readonly [name: string, value: Cell])[],
  terminal: Pick<Terminal, 'colors'>,
): string {
  const width = Math.max(0, ...entries.map(([name]) => stringWidth(name)));
  return entries
    .map(([name, value]) => {
      const text = typeof value === 'string' ? cleanLine(value) : value.styled;
      return `${terminal.colors.dim(name.padEnd(width))}  ${text}`.trimEnd();
    })
    .join('\n');
}

export type Result = Readonly<Record<string, unknown>> | readonly Readonly<Record<string, unknown>>[];

/** Any result: a table with all fields of a list, or the lines of a record. Nested fields are `limits.per_hour`. */
export function resultText(result: Result, terminal: Pick<Terminal, 'colors' | 'columns'>): string {
  if (!isList(result)) return fields(flattened(result), terminal);
  if (result.length === 0) return 'none';
  const rows = result.map((record) => new Map(flattened(record)));
  const names = [...new Set(rows.flatMap((row) => [...row.keys()]))];
  const columns = names.map((title) => ({ title }));
  return table(
    columns,
    rows.map((row) => names.map((name) => row.get(name) ?? '-')),
    terminal,
  );
}

const isList = (result: Result): result is Extract<Result, readonly unknown[]> => Array.isArray(result);

function flattened(record: Readonly<Record<string, unknown>>, prefix = ''): [string, string][] {
  return Object.entries(record).flatMap(([name, value]): [string, string][] =>
    isRecord(value) ? flattened(value, `${prefix}${name}.`) : [[`${prefix}${name}`, shown(value)]],
  );
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function shown(value: unknown): string {
  if (value === null || value === undefined) return '-';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (!Array.isArray(value)) return String(value);
  if (value.length === 0) return '-';
  return value.map((one) => (isRecord(one) ? JSON.stringify(one) : String(one))).join(', ');
}
