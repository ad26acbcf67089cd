/** What `npm start` runs, on any Node: prints the first line while the code loads, and says when `npm ci` comes first. */
import * as module from 'node:module';
import { fileURLToPath } from 'node:url';
import { setFlagsFromString } from 'node:v8';

if (Number(process.versions.node.split('.')[0]) < 24) {
  console.error(
    `Run npm ci first: it installs Node 24, on which Parley runs (this is Node ${process.versions.node}).`,
  );
  process.exitCode = 1;
} else {
  const compileCache = fileURLToPath(new URL('../.local/compile-cache', import.meta.url));
  module.enableCompileCache(compileCache);
  // Of the processes that this one starts.
  process.env.NODE_COMPILE_CACHE = compileCache;
  // Functions are threads that share the HTTP parser of `fetch`, too: the reason is in vitest.config.ts.
  setFlagsFromString('--wasm-wrapper-tiering-budget=2147483647');
  if (!process.argv.includes('--help')) {
    // Nobody reads the output: the next line finds out.
    process.stdout.once('error', () => {});
    process.stdout.write(process.stdout.isTTY && process.env.TERM !== 'dumb' ? 'Starting …' : 'Starting …\n');
  }
  await import('./local.ts');
}
