/** `npm run admin`: the operator's commands, against AWS or the local cloud (docs/administration.md). */
import { keepCompiledCode } from './operator/compile-cache.ts';

keepCompiledCode();
const { runMain } = await import('../clients/cli/src/terminal/program.ts');
const { adminProgram } = await import('./admin/program.ts');
const args = process.argv.slice(2);
await runMain(adminProgram(), args.length > 0 ? args : ['--help']);
