/** `npm run smoke`: sends and receives real messages through a deployment. */
import { keepCompiledCode } from './operator/compile-cache.ts';

keepCompiledCode();
const { runMain } = await import('../clients/cli/src/terminal/program.ts');
const { smokeProgram } = await import('./smoke/program.ts');
await runMain(smokeProgram());
