/** Builds the console as the asset of its function, and the local inbox beside it; docs/decisions/0073-console.md. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { consoleAssets } from '../http/pages/console.ts';
import type { SiteFile, SiteFiles } from '../site/site.ts';
import { addSource, keptFolder, scratchFolder } from './cached-folder.ts';
import { bundleFunction, writeSite } from './site.ts';

const root = join(import.meta.dirname, '../..');

/** Default folder of built consoles. */
const consolesFolder = join(root, 'dist/console');

const sources = [
  'console/*.{html,json,ts}',
  'console/src/**/*.{ts,tsx,css,svg}',
  'clients/typescript/src/**/*.ts',
  'lib/site/tokens.css',
  'lib/http/**/*.ts',
  'lib/core/problems.ts',
  'lib/constructs/{console,site,cached-folder}.ts',
  'functions/public/console.ts',
  'package-lock.json',
];

/** Built consoles that are kept: one for each of the latest inputs. */
const keptMax = 5;

export interface ConsoleFolders {
  /** The asset: the function, with the console's files in `console/`. */
  readonly asset: string;
  /** Files of the local inbox, with the paths `/` and `/console/assets/…`; never deployed. */
  readonly inbox: string;
}

/**
 * Returns the folders of the console and the local inbox; builds them when their sources or the brand have changed.
 *
 * @throws Error with the output of Vite for sources that it cannot build
 */
export function consoleFolders(brand: string): ConsoleFolders {
  const cached = { cache: consolesFolder, name: digestOf(brand), keptMax };
  const kept = keptFolder(cached);
  if (kept) return foldersIn(kept);
  const scratch = scratchFolder(cached);
  try {
    const built = join(scratch.path, 'vite');
    buildPages(built, brand);
    const { asset, inbox } = foldersIn(scratch.path);
    writeSite(filesOf(built, 'index.html', '/console'), join(asset, 'console'));
    writeSite(filesOf(built, 'local.html', '/'), inbox);
    bundleFunction('console', asset);
    return foldersIn(scratch.keep(scratch.path));
  } finally {
    scratch.remove();
  }
}

const foldersIn = (folder: string): ConsoleFolders => ({
  asset: join(folder, 'asset'),
  inbox: join(folder, 'inbox'),
});

/** Vite takes 100 MB, which end with its process. */
function buildPages(folder: string, brand: string): void {
  execFileSync(process.execPath, [join(root, 'console/build.ts'), folder, brand], {
    cwd: root,
    stdio: 'pipe',
  });
}

/** An entry of the manifest of Vite ("Backend Integration", Vite guide). */
export interface ViteChunk {
  readonly file: string;
  readonly imports?: readonly string[];
  readonly dynamicImports?: readonly string[];
  readonly css?: readonly string[];
  readonly assets?: readonly string[];
}

/** By source file. */
export type ViteManifest = Readonly<Record<string, ViteChunk>>;

export function readViteManifest(folder: string): ViteManifest {
  return JSON.parse(readFileSync(join(folder, '.vite/manifest.json'), 'utf8'));
}

/**
 * The files that an entry reaches.
 *
 * @param follow `all`, or `first` for what the first view loads: without dynamic imports
 */
export function reachedFiles(manifest: ViteManifest, entry: string, follow: 'all' | 'first'): Set<string> {
  const seen = new Set<string>();
  const files = new Set<string>();
  const visit = (name: string): void => {
    const chunk = manifest[name];
    if (!chunk || seen.has(name)) return;
    seen.add(name);
    for (const file of [chunk.file, ...(chunk.css ?? []), ...(chunk.assets ?? [])]) files.add(file);
    const next = [...(chunk.imports ?? []), ...(follow === 'all' ? (chunk.dynamicImports ?? []) : [])];
    for (const imported of next) visit(imported);
  };
  visit(entry);
  return files;
}

const types: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** The page of an entry and the files that it reaches, so that the console is deployed without the inbox. */
function filesOf(folder: string, entry: string, path: string): SiteFiles {
  const files = new Map<string, SiteFile>();
  files.set(path, {
    type: 'text/html; charset=utf-8',
    content: readFileSync(join(folder, entry), 'utf8'),
    isImmutable: false,
  });
  for (const file of reachedFiles(readViteManifest(folder), entry, 'all')) {
    const type = types[extname(file)];
    if (!type || !`/console/${file}`.startsWith(consoleAssets)) throw new Error(`no media type for ${file}`);
    files.set(`/console/${file}`, {
      type,
      content: readFileSync(join(folder, file), 'utf8'),
      isImmutable: true,
    });
  }
  return files;
}

function digestOf(brand: string): string {
  const hash = createHash('sha256').update(JSON.stringify(brand)).update(process.version);
  for (const path of globSync(sources, { cwd: root }).sort()) addSource(hash, root, path);
  return hash.digest('hex').slice(0, 16);
}
