/** What `npm ci` costs a newcomer. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { lstatSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

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
 * @throws Error with npm's output
 */
export async function measureInstall(folder: string): Promise<Install> {
  const cache = mkdtempSync(join(tmpdir(), 'parley-npm-'));
  const began = performance.now();
  try {
    const npm = spawn('npm', ['ci'], {
      cwd: folder,
      env: { ...ownEnvironment(), npm_config_cache: cache },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const [output, errors, [code]] = await Promise.all([
      text(npm.stdout),
      text(npm.stderr),
      once(npm, 'exit'),
    ]);
    if (code !== 0) throw new Error(`npm ci ended with ${code}:\n${output}${errors}`);
    return {
      seconds: (performance.now() - began) / 1000,
      warnings: warningsOf(errors),
      megabytes: bytesOf(join(folder, 'node_modules')) / 2 ** 20,
    };
  } finally {
    rmSync(cache, { recursive: true });
  }
}

export const warningsOf = (output: string): string[] =>
  output.split('\n').filter((line) => /^npm warn/i.test(line) && !aboutUser.test(line));

/** Without what `npm run` adds: the packaged Node before the machine's own, and settings of the project of the caller. */
function ownEnvironment(): NodeJS.ProcessEnv {
  const path = (process.env.PATH ?? '').split(':').filter((part) => !part.includes('node_modules'));
  const kept = Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name));
  return { ...Object.fromEntries(kept), PATH: path.join(':') };
}

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
