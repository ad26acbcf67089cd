/** Builds `dist/`: one module for ESM and one for CommonJS, with the declarations beside each; with `--report` also `api.md`. `npm pack` runs it. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { build } from 'esbuild';
import { apiReport } from './report.ts';

const folder = import.meta.dirname;
const dist = join(folder, 'dist');
const formats = { esm: 'module', cjs: 'commonjs' } as const;

rmSync(dist, { recursive: true, force: true });
for (const format of ['esm', 'cjs'] as const) {
  await build({
    entryPoints: [join(folder, 'src/index.ts')],
    outfile: join(dist, format, 'index.js'),
    format,
    bundle: true,
    platform: 'neutral',
    target: 'es2022',
    // Whoever debugs a call reads names and comments.
    minify: false,
    logLevel: 'warning',
  });
  // Both folders have files named `.js`: this says what they are.
  writeFileSync(join(dist, format, 'package.json'), `{"type":"${formats[format]}"}\n`);
}

const compiler = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin/tsc');
const { status } = spawnSync(process.execPath, [compiler, '--project', join(folder, 'tsconfig.json')], {
  stdio: 'inherit',
});
if (status !== 0) process.exit(status ?? 1);
copyDeclarations('index.d.ts');
rmSync(join(dist, 'types'), { recursive: true });
if (process.argv.includes('--report')) writeFileSync(join(folder, 'api.md'), apiReport(join(dist, 'esm')));

/** Copies a declaration and those that it imports to both formats. The compiler leaves `.ts` at the end of their names. */
function copyDeclarations(file: string, done = new Set<string>()): void {
  if (done.has(file)) return;
  done.add(file);
  const text = readFileSync(join(dist, 'types', file), 'utf8');
  const imported = /(?<=from '|import\(")(\.[^'"]+)\.ts(?=['"])/g;
  for (const format of ['esm', 'cjs']) {
    const target = join(dist, format, file);
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, text.replaceAll(imported, '$1.js'));
  }
  for (const [, name = ''] of text.matchAll(imported)) {
    copyDeclarations(join(dirname(file), `${name}.d.ts`), done);
  }
}
