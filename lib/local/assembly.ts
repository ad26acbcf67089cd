/** The synthesised CDK app, cached by a hash of its sources and settings. */
import { createHash } from 'node:crypto';
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
import { type SettingsInput, settingsOf } from '../settings.ts';

const root = join(import.meta.dirname, '../..');

/** The sources of templates and bundles. */
const sources = ['lib', 'functions', 'package.json', 'package-lock.json'];
/** Below `lib`, but in no template or bundle. */
const localSources = join('lib', 'local');

/** Cached assemblies (5 MB each). More than a few: running clouds load functions from theirs on first call. */
const keptMax = 20;
/** Name prefix of folders of unfinished syntheses. */
const scratchPrefix = 'new-';
/** Unfinished syntheses older than this are left over from killed runs. */
const scratchMsMax = 3_600_000;

/**
 * Returns the folder of the cloud assembly for these settings; synthesises it when it is not cached.
 *
 * @throws InvalidSettings for invalid settings; any error of the synthesis
 */
export async function assemblyFor(
  settings: SettingsInput,
  options: { cacheFolder: string },
): Promise<string> {
  const folder = join(options.cacheFolder, digestOf(settings));
  if (existsSync(join(folder, 'manifest.json'))) {
    const now = new Date();
    utimesSync(folder, now, now);
    return folder;
  }
  mkdirSync(options.cacheFolder, { recursive: true });
  const scratch = mkdtempSync(join(options.cacheFolder, scratchPrefix));
  try {
    // Loading the CDK takes a second; a cached assembly does not need it.
    const [{ bundleFunctions }, { synthesize }] = await Promise.all([
      import('../constructs/bundle.ts'),
      import('../stacks/synthesize.ts'),
    ]);
    const code = join(scratch, 'functions');
    // Not minified, for readable stack traces.
    bundleFunctions({ outdir: code, minify: false });
    const outdir = join(scratch, 'assembly');
    synthesize(settingsOf(settings), { code, outdir });
    keep(outdir, folder);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
  prune(options.cacheFolder);
  return folder;
}

function digestOf(settings: SettingsInput): string {
  const hash = createHash('sha256').update(JSON.stringify(settings)).update(process.version);
  for (const source of sources) addTo(hash, source);
  return hash.digest('hex').slice(0, 16);
}

function addTo(hash: ReturnType<typeof createHash>, path: string): void {
  if (path === localSources) return;
  const absolute = join(root, path);
  if (statSync(absolute).isDirectory()) {
    for (const name of readdirSync(absolute).sort()) addTo(hash, join(path, name));
  } else {
    hash.update(path).update(readFileSync(absolute));
  }
}

/** Moves the assembly into the cache, unless another run has done so. */
function keep(assembly: string, folder: string): void {
  try {
    renameSync(assembly, folder);
  } catch (error) {
    if (!existsSync(join(folder, 'manifest.json'))) throw error;
  }
}

/** Removes the least recently used assemblies and leftovers of killed runs. */
function prune(cacheFolder: string): void {
  const folders = readdirSync(cacheFolder).map((name) => {
    const path = join(cacheFolder, name);
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
