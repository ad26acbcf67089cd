/** `npm run admin` in a process of its own, on the deployment of its environment; the last line of its stderr is its peak of memory. */
import { existsSync, readFileSync } from 'node:fs';
import { adminProgram } from '../../bin/admin/program.ts';
import { runMain } from '../../clients/cli/src/terminal/program.ts';

process.on('exit', () => process.stderr.write(`peak ${peakBytes()}\n`));
await runMain(adminProgram(async () => {}));

/** The largest resident set so far; `maxRSS` begins with that of the process that started this one. */
function peakBytes(): number {
  const status = existsSync('/proc/self/status') ? readFileSync('/proc/self/status', 'utf8') : '';
  const kilobytes = /^VmHWM:\s+(\d+) kB/m.exec(status)?.[1];
  return Number(kilobytes ?? process.resourceUsage().maxRSS) * 1024;
}
