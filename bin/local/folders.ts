/** The folder of what a local run writes, and the files that say where the run is. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';

export const localFolder = join(import.meta.dirname, '../../.local');

/** The addresses and the key of the run that is ready. */
export const readyFile = join(localFolder, 'ready.json');

/** The environment for `npm run admin -- --local` (`localEnvironmentFile`). */
export const environmentFile = join(localFolder, 'environment.json');

/** Removes the files of this run, or of one that was killed. */
export function removeAddressFiles(): void {
  for (const file of [readyFile, environmentFile]) rmSync(file, { force: true });
}
