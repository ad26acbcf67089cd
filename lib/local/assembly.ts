/** The synthesised CDK app, cached by a hash of its sources and settings. */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { addSource, keptFolder, scratchFolder } from '../constructs/cached-folder.ts';
import { type SettingsInput, settingsOf } from '../settings.ts';
import type { StartWatch } from './start-watch.ts';
import type { SynthesisTask } from './synthesis.ts';

const root = join(import.meta.dirname, '../..');

/** The sources of templates, bundles, the documentation site and the console. */
const sources = [
  'lib',
  'functions',
  'clients/mcp/src',
  'clients/typescript/src',
  'console',
  'docs',
  'package.json',
  'package-lock.json',
];
/** Below those, but in no template, bundle or page. */
const otherSources = [join('lib', 'local'), join('docs', 'openapi'), join('docs', 'decisions')];

/** Cached assemblies (7 MB each). */
const keptMax = 20;

/**
 * Returns the folder of the cloud assembly for these settings; synthesises it when it is not cached.
 *
 * @throws InvalidSettings for invalid settings; any error of the synthesis; the reason of `signal`
 */
export async function assemblyFor(
  settings: SettingsInput,
  options: StartWatch & { readonly cacheFolder: string },
): Promise<string> {
  const cached = { cache: options.cacheFolder, name: digestOf(settings), keptMax };
  const kept = keptFolder(cached);
  if (kept) return kept;
  settingsOf(settings);
  const scratch = scratchFolder(cached);
  try {
    const outdir = join(scratch.path, 'assembly');
    await synthesize({ settings, code: join(scratch.path, 'functions'), outdir }, options);
    return scratch.keep(outdir);
  } finally {
    scratch.remove();
  }
}

async function synthesize(task: SynthesisTask, { onStage, signal }: StartWatch): Promise<void> {
  const program = join(import.meta.dirname, 'synthesis.ts');
  const run = promisify(execFile)(process.execPath, [program, JSON.stringify(task)], {
    cwd: root,
    ...(signal && { signal }),
  });
  if (run.child.stdout) createInterface(run.child.stdout).on('line', (stage) => onStage?.(stage));
  try {
    await run;
  } catch (error) {
    signal?.throwIfAborted();
    throw error;
  }
}

function digestOf(settings: SettingsInput): string {
  const hash = createHash('sha256').update(JSON.stringify(settings)).update(process.version);
  for (const source of sources) addSource(hash, root, source, otherSources);
  return hash.digest('hex').slice(0, 16);
}
