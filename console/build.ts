/**
 * Builds the console and the local inbox with Vite, in a process of its own (lib/constructs/console.ts):
 * `node console/build.ts FOLDER BRAND`, with `--watch` to build again after each change.
 */
import { join } from 'node:path';
import { build, type Plugin } from 'vite';

const [outDir = join(import.meta.dirname, '../dist/console/dev'), brand = 'Parley'] = process.argv
  .slice(2)
  .filter((argument) => argument !== '--watch');

// Vitest sets another one, with which React is built for development.
process.env.NODE_ENV = 'production';

/**
 * uPlot formats with `navigator.language` when it is loaded, and throws where that is no language tag: Chromium on Linux has
 * `en-US@posix` without a locale. The default locale of the browser is always one.
 */
const chartLocale: Plugin = {
  name: 'chart-locale',
  transform: {
    filter: { id: /uPlot\.esm\.js$/ },
    handler(code) {
      const changed = code.replace(
        "new Intl.NumberFormat(domEnv ? nav.language : 'en-US')",
        'new Intl.NumberFormat()',
      );
      if (changed === code)
        throw new Error('uPlot no longer formats with navigator.language: remove this plugin');
      return { code: changed, map: null };
    },
  },
};

await build({
  root: import.meta.dirname,
  configFile: false,
  base: '/console/',
  publicDir: false,
  plugins: [chartLocale],
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
