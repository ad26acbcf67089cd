/** The command line as a package: what `npm pack` makes, installed in an empty folder, on the Node of this machine and the packaged one. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { version } from '../../clients/cli/src/version.ts';

const source = join(import.meta.dirname, '../../clients/cli');
const folder = mkdtempSync(join(tmpdir(), 'parley-cli-package-'));
const installed = join(folder, 'node_modules/parley-cli');
const program = join(folder, 'node_modules/.bin/parley');

function run(command: string, args: readonly string[], cwd = folder) {
  const env = { PATH: process.env.PATH, HOME: folder, npm_config_cache: join(folder, 'cache') };
  return spawnSync(command, args, { cwd, encoding: 'utf8', env });
}

beforeAll(() => {
  const packed = run('npm', ['pack', '--pack-destination', folder], source);
  expect(packed.status, packed.stderr).toBe(0);
  writeFileSync(join(folder, 'package.json'), '{"private":true}');
  const args = ['install', '--offline', '--no-audit', '--no-fund', `parley-cli-${version}.tgz`];
  const made = run('npm', args);
  expect(made.status, made.stderr).toBe(0);
});

afterAll(() => rmSync(folder, { recursive: true }));

it('has one program, the licences of what is in it, and no dependencies', () => {
  const { files, dependencies, ...manifest } = JSON.parse(
    readFileSync(join(installed, 'package.json'), 'utf8'),
  );
  expect(manifest).toMatchObject({ version, bin: { parley: './dist/parley.js' } });
  expect(dependencies).toBeUndefined();
  const { stdout } = run('find', ['-L', installed, '-type', 'f']);
  const found = stdout
    .trim()
    .split('\n')
    .map((file) => file.slice(installed.length + 1));
  expect(found.sort()).toEqual([
    'LICENSE',
    'README.md',
    'dist/licences.txt',
    'dist/parley.js',
    'package.json',
  ]);
  const licences = readFileSync(join(installed, 'dist/licences.txt'), 'utf8');
  for (const name of ['yargs', 'cli-table3', 'picocolors'])
    expect(licences).toMatch(new RegExp(`^${name} \\d`, 'm'));
  // Paths of the machine that built it are no part of it.
  expect(readFileSync(join(installed, 'dist/parley.js'), 'utf8')).not.toContain(source);
});

it.each([
  ['--version', 0, `${version}\n`, ''],
  ['whoami', 1, '', 'error: You are not logged in.\n  Run: parley login\n'],
  ['xyzzyplugh', 2, '', 'error: "xyzzyplugh" is unknown here.\n  See parley --help.\n'],
])('runs: parley %s', (argument, status, stdout, stderr) => {
  expect(run(program, [argument])).toMatchObject({ status, stdout, stderr });
});

it.each(['bash', 'zsh', 'fish'])('completes in %s', (shell) => {
  const { stdout } = run(program, ['completion', shell]);
  expect(stdout).toContain('--get-yargs-completions');
  if (run(shell, ['--version']).status !== 0) return;
  expect(run(shell, ['-n', '-c', stdout])).toMatchObject({ status: 0, stderr: '' });
});

it('completes a command in bash by the script that it prints', () => {
  const { stdout: script } = run(program, ['completion', 'bash']);
  // biome-ignore lint/suspicious/noTemplateCurlyInString: it is of the shell
  const words = 'COMP_WORDS=(parley domains "")\nCOMP_CWORD=2\n_parley\nprintf "%s\\n" "${COMPREPLY[@]}"';
  const path = `export PATH=${join(folder, 'node_modules/.bin')}:$PATH`;
  const { stdout } = run('bash', ['-c', `${path}\n${script}\n${words}`]);
  expect(stdout.split('\n')).toEqual(expect.arrayContaining(['list', 'add', 'check']));
});
