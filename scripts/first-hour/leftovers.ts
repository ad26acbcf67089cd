/** What the script has started and made: ended and removed with the script, Ctrl-C included. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const exitCodes = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;
const removals: (() => void)[] = [];

/** Calls `remove` when this process exits, the last one first. It may have been called before. */
export function atExit(remove: () => void): void {
  if (removals.length === 0) {
    for (const [signal, exitCode] of Object.entries(exitCodes))
      process.once(signal, () => process.exit(exitCode));
    process.once('exit', () => {
      for (const each of removals.toReversed()) each();
    });
  }
  removals.push(remove);
}

/** @param keep the folder is left where it is */
export function temporaryFolder(
  prefix: string,
  { keep = false } = {},
): { readonly path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), prefix));
  if (keep) return { path, remove() {} };
  // A process that has just been killed may still write.
  const remove = () => rmSync(path, { recursive: true, force: true, maxRetries: 5 });
  atExit(remove);
  return { path, remove };
}
