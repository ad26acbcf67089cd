/** What a command prints: lines for people, or JSON for programs. */
import type { Result } from './command.ts';

/** The output of a command. A list is a table, a record one line for each field. */
export function textOf(result: Result, isJson: boolean): string {
  if (isJson) return JSON.stringify(result, null, 2);
  return isList(result) ? table(result) : record(result);
}

function isList(result: Result): result is Extract<Result, readonly unknown[]> {
  return Array.isArray(result);
}

function record(fields: Readonly<Record<string, unknown>>): string {
  const lines = flattened(fields);
  const width = Math.max(...lines.map(([name]) => name.length));
  return lines.map(([name, value]) => `${name.padEnd(width)}  ${value}`.trimEnd()).join('\n');
}

function table(records: readonly Readonly<Record<string, unknown>>[]): string {
  if (records.length === 0) return 'none';
  const rows = records.map((fields) => new Map(flattened(fields)));
  const columns = [...new Set(rows.flatMap((row) => [...row.keys()]))];
  const cells = [columns, ...rows.map((row) => columns.map((column) => row.get(column) ?? '-'))];
  const widths = columns.map((_, at) => Math.max(...cells.map((row) => row[at]?.length ?? 0)));
  return cells
    .map((row) =>
      row
        .map((cell, at) => cell.padEnd(widths[at] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** Fields of nested records as `limits.per_hour`. */
function flattened(fields: Readonly<Record<string, unknown>>, prefix = ''): [string, string][] {
  return Object.entries(fields).flatMap(([name, value]): [string, string][] =>
    isRecord(value) ? flattened(value, `${prefix}${name}.`) : [[`${prefix}${name}`, shown(value)]],
  );
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function shown(value: unknown): string {
  if (value === null) return '-';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (!Array.isArray(value)) return String(value);
  if (value.length === 0) return '-';
  return value.map((one) => (isRecord(one) ? JSON.stringify(one) : String(one))).join(', ');
}
