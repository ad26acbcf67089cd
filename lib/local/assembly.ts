/** The synthesised CDK app, cached by a hash of its sources and settings. */
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { addSource, keptFolder, scratchFolder } from '../constructs/cached-folder.ts';
import { type SettingsInput, settingsOf } from '../settings.ts';
import type { StartWatch } from './start-watch.ts';

const root = join(import.meta.dirname, '../..');

/** The sources of templates, bundles and the documentation site. */
const sources = ['lib', 'functions', 'docs', 'package.json', 'package-lock.json'];
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
  const resolved = settingsOf(settings);
  /** Neither bundling nor synthesis lets the process do anything else: a signal to end comes in between. */
  const begin = async (stage: string) => {
    options.onStage?.(stage);
    await turn();
    options.signal?.throwIfAborted();
  };
  const scratch = scratchFolder(cached);
  try {
    await begin('Building the functions');
    // Loading the CDK takes a second; a cached assembly does not need it.
    const [{ bundleFunctions }, { siteFolder }, { synthesize }] = await Promise.all([
      import('../constructs/bundle.ts'),
      import('../constructs/site.ts'),
      import('../stacks/synthesize.ts'),
    ]);
    const functions = join(scratch.path, 'functions');
    // Not minified, for readable stack traces.
    bundleFunctions({ outdir: functions, minify: false });
    await begin('Building the documentation');
    const site = siteFolder(resolved.brand);
    await begin('Synthesizing the templates');
    const outdir = join(scratch.path, 'assembly');
    synthesize(resolved, { code: { functions, site }, outdir });
    return scratch.keep(outdir);
  } finally {
    scratch.remove();
  }
}

function digestOf(settings: SettingsInput): string {
  const hash = createHash('sha256').update(JSON.stringify(settings)).update(process.version);
  for (const source of sources) addSource(hash, root, source, otherSources);
  return hash.digest('hex').slice(0, 16);
}
