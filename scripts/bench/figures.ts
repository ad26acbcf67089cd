/** Arithmetic and tables of the scripts. */

/** The value below which `share` of the values lie; NaN of none. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN;
}

export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

export interface Timed {
  readonly startedAt: number;
  readonly ms: number;
}

/** Length of the longest chain of calls each of which began after the one before had ended. */
export function longestChain(calls: readonly Timed[]): number {
  return heaviestChain(calls, () => 1);
}

/** Weight of the heaviest chain of calls each of which began after the one before had ended. */
export function heaviestChain<T extends Timed>(calls: readonly T[], weightOf: (call: T) => number): number {
  /** The heaviest chain that has ended by a time, the heaviest last. */
  const chains = [{ endedAt: Number.NEGATIVE_INFINITY, weight: 0 }];
  for (const call of calls.toSorted((a, b) => a.startedAt + a.ms - (b.startedAt + b.ms))) {
    const before = chains.findLast(({ endedAt }) => endedAt <= call.startedAt)?.weight ?? 0;
    const weight = before + weightOf(call);
    if (weight > (chains.at(-1)?.weight ?? 0)) chains.push({ endedAt: call.startedAt + call.ms, weight });
  }
  return chains.at(-1)?.weight ?? 0;
}

/** As it is shown: whole from 10 on, one decimal below; `–` where nothing was measured. */
export function shown(value: number | null): string {
  if (value === null || Number.isNaN(value)) return '–';
  return value >= 9.95 || Number.isInteger(value) ? String(Math.round(value)) : value.toFixed(1);
}

/** "48 (96 %)". */
export function share(part: number, whole: number): string {
  return `${part} (${((100 * part) / whole).toFixed(0)} %)`;
}

/** A Markdown table. */
export function table(head: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  const line = (cells: readonly (string | number)[]) =>
    `| ${cells.map((cell) => String(cell).replaceAll('|', '\\|')).join(' | ')} |`;
  const isFigure = (cell: string | number | undefined) => /^[\d.,–]+$/.test(String(cell ?? ''));
  // Figures stand to the right.
  const rule = head.map((_, at) => (rows.every((row) => isFigure(row[at])) ? '---:' : '---'));
  return [line(head), `|${rule.join('|')}|`, ...rows.map(line)].join('\n');
}
