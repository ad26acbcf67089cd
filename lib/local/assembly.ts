/** The synthesised CDK app, cached by a hash of its sources and settings. */
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { addSource, keptFolder, makeFolder } from '../constructs/cached-folder.ts';
import { type SettingsInput, settingsOf } from '../settings.ts';

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
 * @throws InvalidSettings for invalid settings; any error of the synthesis
 */
export async function assemblyFor(
  settings: SettingsInput,
  options: { cacheFolder: string },
): Promise<string> {
  const cached = { cache: options.cacheFolder, name: digestOf(settings), keptMax };
  const kept = keptFolder(cached);
  if (kept) return kept;
  // Loading the CDK takes a second; a cached assembly does not need it.
  const [{ bundleFunctions }, { siteFolder }, { synthesize }] = await Promise.all([
    import('../constructs/bundle.ts'),
    import('../constructs/site.ts'),
    import('../stacks/synthesize.ts'),
  ]);
  return makeFolder(cached, (scratch) => {
    const functions = join(scratch, 'functions');
    // Not minified, for readable stack traces.
    bundleFunctions({ outdir: functions, minify: false });
    const outdir = join(scratch, 'assembly');
    const deployed = settingsOf(settings);
    synthesize(deployed, { code: { functions, site: siteFolder(deployed.brand) }, outdir });
    return outdir;
  });
}

function digestOf(settings: SettingsInput): string {
  const hash = createHash('sha256').update(JSON.stringify(settings)).update(process.version);
  for (const source of sources) addSource(hash, root, source, otherSources);
  return hash.digest('hex').slice(0, 16);
}
