/** Folders that are made from sources and kept under the digest of them. */
import type { Hash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
} from 'node:fs';
import { join } from 'node:path';

export interface CachedFolder {
  /** Folder of all kept ones. */
  readonly cache: string;
  /** Name of the folder: a digest of its sources. */
  readonly name: string;
  /** The least recently used beyond these are removed. More than a few: running clouds load files from theirs on first call. */
  readonly keptMax: number;
}

/** Name prefix of unfinished folders. */
const scratchPrefix = 'new-';
/** Unfinished folders older than this are left over from killed runs. */
const scratchMsMax = 3_600_000;

/** The folder, where it is kept. */
export function keptFolder({ cache, name }: CachedFolder): string | null {
  const folder = join(cache, name);
  if (!existsSync(folder)) return null;
  const now = new Date();
  utimesSync(folder, now, now);
  return folder;
}

/** A folder that becomes a kept one, whole or below it. */
export interface ScratchFolder {
  readonly path: string;
  /** Moves `made`, the scratch folder or one below it, into the cache; returns its path there. */
  keep(made: string): string;
  /** Removes what is left of it. */
  remove(): void;
}

export function scratchFolder({ cache, keptMax, name }: CachedFolder): ScratchFolder {
  mkdirSync(cache, { recursive: true });
  const path = mkdtempSync(join(cache, scratchPrefix));
  return {
    path,
    keep(made) {
      const folder = join(cache, name);
      keep(made, folder);
      prune(cache, keptMax);
      return folder;
    },
    remove: () => rmSync(path, { recursive: true, force: true }),
  };
}

/** Moves a folder into the cache, unless another run has done so. */
function keep(made: string, folder: string): void {
  try {
    renameSync(made, folder);
  } catch (error) {
    if (!existsSync(folder)) throw error;
  }
}

/** Removes the least recently used folders and leftovers of killed runs. */
function prune(cache: string, keptMax: number): void {
  const folders = readdirSync(cache).map((name) => {
    const path = join(cache, name);
    return {
      path,
      isScratch: name.startsWith(scratchPrefix),
      usedAt: statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0,
    };
  });
  const kept = folders.filter(({ isScratch }) => !isScratch).sort((a, b) => b.usedAt - a.usedAt);
  const left = folders.filter(({ isScratch, usedAt }) => isScratch && Date.now() - usedAt > scratchMsMax);
  for (const { path } of [...kept.slice(keptMax), ...left]) rmSync(path, { recursive: true, force: true });
}

/**
 * Adds the content of a file, or of all files of a folder, to a hash.
 *
 * @param path below `root`
 * @param except paths that are left out
 */
export function addSource(hash: Hash, root: string, path: string, except: readonly string[] = []): void {
  if (except.includes(path)) return;
  const absolute = join(root, path);
  if (statSync(absolute).isDirectory()) {
    for (const name of readdirSync(absolute).sort()) addSource(hash, root, join(path, name), except);
  } else {
    hash.update(path).update(readFileSync(absolute));
  }
}
