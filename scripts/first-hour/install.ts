/** What `npm ci` costs a newcomer. */
import { lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from './leftovers.ts';
import { startGroup } from './process-group.ts';

/** npm gives up a registry that does not answer after some minutes. */
const installSecondsMax = 600;

export interface Install {
  readonly seconds: number;
  /** Lines that begin with `npm warn`. */
  readonly warnings: readonly string[];
  /** Of node_modules on the disk. */
  readonly megabytes: number;
}

/** A setting of this machine's user, not of the project. */
const aboutUser = /Unknown (?:user|env|global|builtin) config/;

/**
 * Installs a clone as it is, with an empty cache.
 *
 * @throws Failed with npm's output
 */
export async function measureInstall(folder: string): Promise<Install> {
  const cache = temporaryFolder('parley-npm-');
  const began = performance.now();
  const npm = startGroup('npm', ['ci'], { cwd: folder, env: { npm_config_cache: cache.path } });
  await npm.succeeded(installSecondsMax);
  const seconds = (performance.now() - began) / 1000;
  cache.remove();
  return {
    seconds,
    warnings: warningsOf(npm.output()),
    megabytes: bytesOf(join(folder, 'node_modules')) / 2 ** 20,
  };
}

export const warningsOf = (output: string): string[] =>
  output.split('\n').filter((line) => /^npm warn/i.test(line) && !aboutUser.test(line));

/** Blocks of the disk, as `du` counts them; a file with several names counts once. */
function bytesOf(folder: string, seen = new Set<number>()): number {
  let bytes = 0;
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    const { blocks, ino } = lstatSync(path);
    if (!seen.has(ino)) bytes += blocks * 512;
    seen.add(ino);
    if (entry.isDirectory()) bytes += bytesOf(path, seen);
  }
  return bytes;
}
