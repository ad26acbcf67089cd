/** `npm run smoke`: sends and receives real messages through a deployment. */
import { runSmoke } from './smoke/run-smoke.ts';

const stop = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort());
process.exitCode = await runSmoke(process.argv.slice(2), (line) => console.log(line), stop.signal);
// The question that was interrupted may still wait for a message.
if (stop.signal.aborted) process.exit();
