/** `npm start`: runs the service in a local cloud with a demo workspace. */
import { checkPorts } from './local/check-ports.ts';
import { failureOf } from './local/failure.ts';
import { removeAddressFiles } from './local/folders.ts';
import { holdFolders } from './local/hold-folders.ts';
import { help, readOptions } from './local/options.ts';
import { createProgress } from './local/progress.ts';
import { stopSignal } from './local/stop-signal.ts';

/** Of a shell, for a program that Ctrl-C has ended. */
const interrupted = 130;

const signal = stopSignal();
const isTerminal = process.stdout.isTTY && process.env.TERM !== 'dumb';
const progress = createProgress({ write: (text) => process.stdout.write(text), isTerminal });
process.exitCode = await main();
// Calls that were under way must not keep the process.
process.exit();

async function main(): Promise<number> {
  let repairable: Parameters<typeof failureOf>[1];
  try {
    const options = readOptions(process.argv.slice(2));
    if (!options) {
      console.log(help);
      return 0;
    }
    progress.stage('Starting');
    const release = holdFolders(options.dataFolder);
    // Those of a killed run.
    removeAddressFiles();
    await checkPorts(options.ports);
    // Most of the code, which takes a second to load.
    const { run, repairableErrors } = await import('./local/run.ts');
    repairable = repairableErrors;
    await run(options, progress, signal);
    release();
    return 0;
  } catch (error) {
    progress.end();
    if (signal.aborted) return interrupted;
    const { text, exitCode } = failureOf(error, repairable);
    console.error(text);
    return exitCode;
  }
}
