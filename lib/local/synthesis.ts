/** The program of the process that synthesises the app: what the CDK and esbuild take (400 MB) ends with it. */
import { bundleFunctions } from '../constructs/bundle.ts';
import { consoleFolders } from '../constructs/console.ts';
import { siteFolder } from '../constructs/site.ts';
import { type SettingsInput, settingsOf } from '../settings.ts';
import { synthesize } from '../stacks/synthesize.ts';

/** What `assembly.ts` gives it. */
export interface SynthesisTask {
  readonly settings: SettingsInput;
  /** Gets the bundle of the functions. */
  readonly code: string;
  /** Gets the cloud assembly. */
  readonly outdir: string;
}

const task = JSON.parse(process.argv[2] ?? '') as SynthesisTask;
// Ctrl-C reaches the whole group of processes; the parent decides.
process.on('SIGINT', () => undefined);
// Each line is a stage for the user.
console.log('Building the functions');
// Not minified, for readable stack traces.
bundleFunctions({ outdir: task.code, minify: false });
const settings = settingsOf(task.settings);
console.log('Building the documentation');
const site = siteFolder(settings.brand);
console.log('Building the console');
const { asset } = consoleFolders(settings.brand);
console.log('Synthesizing the templates');
synthesize(settings, { code: { functions: task.code, site, console: asset }, outdir: task.outdir });
