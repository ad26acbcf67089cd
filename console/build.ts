/**
 * Builds the console and the local inbox with Vite, in a process of its own (lib/constructs/console.ts):
 * `node console/build.ts FOLDER BRAND`, with `--watch` to build again after each change.
 */
import { join } from 'node:path';
import { build } from 'vite';

const [outDir = join(import.meta.dirname, '../dist/console/dev'), brand = 'Parley'] = process.argv
  .slice(2)
  .filter((argument) => argument !== '--watch');

// Vitest sets another one, with which React is built for development.
process.env.NODE_ENV = 'production';

await build({
  root: import.meta.dirname,
  configFile: false,
  base: '/console/',
  publicDir: false,
  logLevel: 'warn',
  define: { 'import.meta.env.BRAND': JSON.stringify(brand) },
  resolve: {
    alias: { 'parley-client': join(import.meta.dirname, '../clients/typescript/src/index.ts') },
  },
  build: {
    outDir,
    emptyOutDir: true,
    manifest: true,
    target: 'es2022',
    // Files that are inlined as data URLs are not cached.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    watch: process.argv.includes('--watch') ? {} : null,
    rolldownOptions: {
      // React's marks for servers, which render nothing here.
      onLog: (level, log, print) => log.code !== 'MODULE_LEVEL_DIRECTIVE' && print(level, log),
      input: ['index.html', 'local.html'].map((name) => join(import.meta.dirname, name)),
    },
  },
});
