/** `npm run doctor`: checks an AWS account before and after a deployment. */
import { runDoctor } from './doctor/run-doctor.ts';

const { lines, exitCode } = await runDoctor(process.argv.slice(2));
for (const line of lines) console.log(line);
process.exitCode = exitCode;
