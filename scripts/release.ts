/** `npm run release`: makes the files of a release, and says what follows (docs/releases.md). */
import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { artefactFile, releasesKept } from './release/artefact.ts';
import { buildArtefact } from './release/build.ts';
import { releasedChangelog, versionedFiles, withVersion } from './release/changelog.ts';

const help = `Usage: npm run release -- VERSION [--dry-run]

Checks the tree, then writes the version and the date into CHANGELOG.md, the version into the packages, and the
artefact that the next release is tested beside. Commit and tag are yours.

  --dry-run  checks everything, and writes nothing
  --help`;

const root = join(import.meta.dirname, '..');
const read = (file: string): string => readFileSync(join(root, file), 'utf8');
const git = (...args: string[]): string => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim();

class Refused extends Error {}

function run(command: string, ...args: string[]): void {
  console.log(`> ${[command, ...args].join(' ')}`);
  const env = { ...process.env, PARLEY_TESTS: 'all' };
  const { status } = spawnSync(command, args, { cwd: root, stdio: 'inherit', env });
  if (status !== 0) throw new Refused(`${[command, ...args].join(' ')} failed.`);
}

const requireClean = (when: string): void => {
  if (git('status', '--porcelain') !== '')
    throw new Refused(`The tree has changes that are not committed ${when}.`);
};

/** The texts of all files with the version. @throws Error where the release cannot be made */
function textsOf(version: string): Readonly<Record<string, string>> {
  const { version: current } = JSON.parse(read('package.json'));
  const date = new Date().toISOString().slice(0, 10);
  const versioned = Object.keys(versionedFiles).map((file) => [
    file,
    withVersion(file, read(file), current, version),
  ]);
  return {
    'CHANGELOG.md': releasedChangelog(read('CHANGELOG.md'), version, date),
    ...Object.fromEntries(versioned),
  };
}

function release(version: string, isDry: boolean): void {
  requireClean('yet');
  const texts = textsOf(version);
  run('npm', 'run', 'check');
  run('npm', 'run', 'openapi');
  requireClean('after npm run openapi');
  run('npx', 'vitest', 'run', '--project', 'rules-all', '--project', 'long', 'test/releases');
  console.log('Building the artefact');
  const artefact = buildArtefact();
  const size = `${(artefact.length / 1e6).toFixed(1)} MB`;
  if (isDry) {
    console.log(`${version} can be released; its artefact has ${size}. Nothing was written.`);
    return;
  }
  for (const [file, text] of Object.entries(texts)) writeFileSync(join(root, file), text);
  run('npm', 'install', '--package-lock-only', '--ignore-scripts', '--no-audit', '--no-fund');
  for (const kept of releasesKept()) rmSync(artefactFile(kept));
  writeFileSync(artefactFile(version), artefact);
  console.log(`
${version} is ready; its artefact has ${size}. Look at the changes, then:
  git add --all && git commit -m "feat: release ${version}"
  git tag v${version}
Then remove what only the release before needed: docs/releases.md#after-a-release.`);
}

try {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { 'dry-run': { type: 'boolean', default: false }, help: { type: 'boolean', default: false } },
  });
  const [version, ...more] = positionals;
  if (values.help) console.log(help);
  else if (version === undefined || more.length > 0) throw new Refused(help);
  else release(version, values['dry-run']);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
