/** `npm start`, after `start.mjs` has printed the first line: runs the service in a local cloud with a demo workspace. */
import { checkPorts, explainTakenPort } from './local/check-ports.ts';
import { failureOf } from './local/failure.ts';
import { removeAddressFiles } from './local/folders.ts';
import { holdFolders } from './local/hold-folders.ts';
import { help, type LocalOptions, readOptions } from './local/options.ts';
import { createProgress } from './local/progress.ts';
import { createStop } from './local/stop-signal.ts';

/** Of a shell, for a program that Ctrl-C has ended. */
const interrupted = 130;

const stop = createStop();
const isTerminal = process.stdout.isTTY && process.env.TERM !== 'dumb';
const progress = createProgress({
  write: (text) => process.stdout.write(text),
  isTerminal,
  shown: 'Starting',
});
// Calls that were under way must not keep the process.
process.exit(await main(process.argv.slice(2)));

/** The exit code. */
async function main(args: readonly string[]): Promise<number> {
  try {
    const options = readOptions(args);
    if (!options) {
      console.log(help);
      return 0;
    }
    const release = holdFolders(options.dataFolder);
    // Those of a killed run.
    removeAddressFiles();
    await checkPorts(options.ports);
    await runAt(options);
    release();
    return 0;
  } catch (error) {
    progress.end();
    if (stop.signal.aborted) return interrupted;
    const { text, exitCode } = failureOf(error);
    console.error(text);
    return exitCode;
  }
}

async function runAt(options: LocalOptions): Promise<void> {
  // Most of the code, which takes a second to load.
  const { run } = await import('./local/run.ts');
  stop.catchSignals();
  try {
    await run(options, progress, stop.signal);
  } catch (error) {
    throw await explainTakenPort(error, options.ports);
  }
}
