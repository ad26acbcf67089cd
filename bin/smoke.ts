/** `npm run smoke`: sends and receives real messages through a deployment. */
import { runSmoke } from './smoke/run-smoke.ts';

process.exitCode = await runSmoke(process.argv.slice(2), (line) => console.log(line));
