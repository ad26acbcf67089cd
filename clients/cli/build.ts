/** Builds `dist/parley.js`: the command line with its libraries in one file, and their licences beside it. `npm pack` runs it. */
import { chmodSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { build } from 'esbuild';

const folder = import.meta.dirname;
const dist = join(folder, 'dist');
const outfile = join(dist, 'parley.js');

rmSync(dist, { recursive: true, force: true });
const { metafile } = await build({
  entryPoints: [join(folder, 'src/main.ts')],
  outfile,
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  // An error shows the line that it comes from: not the whole program.
  minify: false,
  legalComments: 'none',
  metafile: true,
  logLevel: 'warning',
  // Libraries in CommonJS.
  banner: {
    js: "import { createRequire as makeRequire } from 'node:module';const require = makeRequire(import.meta.url);",
  },
});
chmodSync(outfile, 0o755);
writeFileSync(join(dist, 'licences.txt'), licencesOf(Object.keys(metafile.inputs)));

/** The licences of the bundled packages. @param inputs paths of the modules, relative to the folder of the process */
function licencesOf(inputs: readonly string[]): string {
  const folders = inputs.flatMap((input) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(input)?.[0] ?? []);
  return [...new Set(folders)].sort().map(licenceOf).join('\n\n');
}

function licenceOf(path: string): string {
  const names = ['LICENSE', 'license', 'LICENSE.md', 'LICENSE.txt', 'LICENSE-MIT.txt'];
  const texts = names.flatMap((name) => readOptional(join(path, name)) ?? []);
  const { name, version, license } = JSON.parse(readFileSync(join(path, 'package.json'), 'utf8'));
  if (!texts[0]) throw new Error(`${dirname(path)}: ${name} has no licence file`);
  return `${name} ${version} (${license})\n\n${texts[0].trim()}`;
}

function readOptional(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return null;
  }
}
