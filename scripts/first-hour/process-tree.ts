/** Memory and threads of a process and its descendants, read from /proc (Linux). */
import { readdirSync, readFileSync } from 'node:fs';

export interface TreeSize {
  /** Sum of the resident sets; pages that processes share count for each. */
  readonly residentMb: number;
  readonly threads: number;
}

/** @param pid process that counts with all its descendants */
export function sizeOfTree(pid: number): TreeSize {
  const sizes = descendantsOf(pid).map(statusOf);
  return {
    residentMb: sizes.reduce((sum, { residentKb }) => sum + residentKb, 0) / 1024,
    threads: sizes.reduce((sum, { threads }) => sum + threads, 0),
  };
}

/** A process and its descendants; empty: it has ended. */
export function descendantsOf(pid: number): number[] {
  const parents = new Map(
    readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map((name) => [Number(name), statusOf(Number(name)).parent]),
  );
  const isWithin = (each: number | undefined): boolean =>
    each !== undefined && (each === pid || isWithin(parents.get(each)));
  return [...parents.keys()].filter(isWithin);
}

/** A process that has ended and that nobody has waited for does not run. */
export function isRunning(pid: number): boolean {
  return statusOf(pid).threads > 0;
}

function statusOf(pid: number): { parent: number; residentKb: number; threads: number } {
  let text = '';
  try {
    text = readFileSync(`/proc/${pid}/status`, 'utf8');
  } catch {
    // It has ended since the listing.
  }
  const field = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(text)?.[1] ?? 0);
  return {
    parent: field('PPid'),
    residentKb: field('VmRSS'),
    threads: /^State:\s+Z/m.test(text) ? 0 : field('Threads'),
  };
}
