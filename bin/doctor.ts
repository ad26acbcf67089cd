/** `npm run doctor`: checks an AWS account before and after a deployment. */
import { keepCompiledCode } from './operator/compile-cache.ts';

keepCompiledCode();
const { runMain } = await import('../clients/cli/src/terminal/program.ts');
const { doctorProgram } = await import('./doctor/program.ts');
await runMain(doctorProgram());
