/** The synthesised app: kept under a hash of what it is made of, so that an unchanged source is not synthesised again. */
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

/** What the templates and bundles are made of. */
const sources = ['lib', 'functions', 'package.json', 'package-lock.json'];
/** What they are not made of, though it lies there. */
const localSources = join('lib', 'local');

/** Assemblies kept (5 MB each); a run that is up loads its functions from one as they are called. */
const keptMax = 20;
/** Begins the names of folders in which a synthesis is under way. */
const scratchPrefix = 'new-';
/** What is older was left by a run that was killed. */
const scratchMsMax = 3_600_000;

/**
 * The folder of the cloud assembly for these settings.
 *
 * @param options.cacheFolder kept between runs
 * @throws InvalidSettings, or what synthesis throws
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
    // The CDK takes a second to load, which a kept assembly saves.
    const [{ bundleFunctions }, { synthesize }] = await Promise.all([
      import('../constructs/bundle.ts'),
      import('../stacks/synthesize.ts'),
    ]);
    const code = join(scratch, 'functions');
    // Stack traces of the local run are read by people.
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

/** Moves the assembly to its place, unless another run was faster: both are the same. */
function keep(assembly: string, folder: string): void {
  try {
    renameSync(assembly, folder);
  } catch (error) {
    if (!existsSync(join(folder, 'manifest.json'))) throw error;
  }
}

/** Removes the assemblies that were not used for longest, and what killed runs left. */
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
