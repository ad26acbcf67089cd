/**
 * `npm` and `npx` of a page, called by the terminal of a reader (`session.ts`): runs what takes seconds and needs no AWS account.
 * Of anything else it checks that the script exists and takes the options.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from './pages.ts';
import { isMain, npmScripts, sourcesOf } from './scripts.ts';

class WrongCommand extends Error {}

/** Programs of `test/tools`, which `npm run tools` installs, by the name of their package. */
const generators: Readonly<Record<string, string>> = Object.fromEntries(
  [
    ['openapi-typescript', 'openapi-typescript'],
    ['@hey-api/openapi-ts', 'openapi-ts'],
    ['orval', 'orval'],
  ].map(([name, program = '']) => [name, join(root, 'test/tools/node_modules/.bin', program)]),
);

/** The commands that are not run, with the reason. Any other is run, or refused here. */
const notRun: Readonly<Record<string, string>> = {
  'npm ci': 'replaces the packages that run the test',
  'npm start': 'is what the test has started before',
  'npm test': 'runs for minutes, and would run this test again',
  'npx vitest': 'runs other tests; the paths are checked',
  'npm run admin': 'without --local, works on a deployment in AWS; the help of the command is read',
  'npm run doctor': 'reads a deployment in AWS; its help is read',
  'npm run release': 'makes the files of a release',
  'npm run smoke': 'sends through a deployment in AWS; its help is read',
  'npx cdk bootstrap': 'creates resources in AWS; nothing of it works offline',
  'npx cdk deploy': 'creates resources in AWS; the app is synthesized with the same settings',
};

/** Whether a command of npm or npx is run here, or its reason is known. */
export function isKnown(command: string): boolean {
  const starts = [...Object.keys(notRun), ...Object.keys(generators).map((name) => `npx ${name}`)];
  return (
    /^npm run (?:synth|cost|admin .*--local\b)/.test(command) ||
    starts.some((start) => `${command} `.startsWith(`${start} `))
  );
}

/** Runs or checks a command. @throws WrongCommand */
function handle(words: readonly string[]): void {
  const [program, first = '', ...rest] = words;
  if (!isKnown(words.join(' ')))
    throw new WrongCommand(`${words.join(' ')}: nothing here says how to run it, or why not`);
  if (program === 'npx' && first === 'cdk') cdk(rest);
  else if (program === 'npx' && first in generators) run([generators[first] ?? '', ...rest]);
  else if (program === 'npx') vitest(first, rest);
  else if (first === 'run') script(rest);
  else if (first !== 'ci') script([first, ...rest]);
}

function script([name = '', ...args]: readonly string[]): void {
  const given = args[0] === '--' ? args.slice(1) : args;
  if (npmScripts[name] === undefined) throw new WrongCommand(`package.json has no script ${name}`);
  if (given.length > 0 && args[0] !== '--')
    throw new WrongCommand(`options of npm run ${name} stand behind --`);
  if (name === 'admin' && given.includes('--local')) run([join(root, 'bin/admin.ts'), ...given]);
  else if (name === 'cost') run([join(root, 'scripts/cost.ts'), ...given]);
  else if (name === 'synth') synthesize(given);
  else checkOptions(name, given);
}

/** Every option is one that the help of the command lists, or that its source reads. */
function checkOptions(name: string, args: readonly string[]): void {
  const options = args.flatMap((arg) => /^--([\w-]+)/.exec(arg)?.[1] ?? []);
  const words = args.slice(0, args.findIndex((arg) => arg.startsWith('-')) + 1 || undefined);
  const known = ['admin', 'doctor', 'smoke'].includes(name)
    ? helpOf(
        name,
        words.filter((word) => !word.startsWith('-')),
      )
    : sourcesOf(name);
  const unknown = options.filter((option) => !new RegExp(`(?:--|'?)\\b${option}\\b`).test(known));
  if (unknown.length > 0) throw new WrongCommand(`npm run ${name} has no option --${unknown.join(', --')}`);
}

function helpOf(name: string, words: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [join(root, 'bin', `${name}.ts`), ...words, '--help'],
    { encoding: 'utf8' },
  );
  if (status !== 0) throw new WrongCommand(`npm run ${name} -- ${words.join(' ')} --help: ${stderr}`);
  return stdout;
}

function run(args: readonly string[]): void {
  const { status } = spawnSync(process.execPath, args, { stdio: 'inherit' });
  process.exitCode = status ?? 1;
}

function cdk([command = '', ...rest]: readonly string[]): void {
  if (command === 'bootstrap') return;
  if (command !== 'deploy' && command !== 'synth')
    throw new WrongCommand(`npx cdk ${command} is not known here`);
  // The other words name stacks and what is deployed with them.
  const isSetting = (word: string, at: number): boolean => word === '-c' || rest[at - 1] === '-c';
  synthesize(rest.filter(isSetting));
}

function synthesize(settings: readonly string[]): void {
  const output = mkdtempSync(join(tmpdir(), 'cdk-'));
  const { status, stderr } = spawnSync(
    join(root, 'node_modules/.bin/cdk'),
    ['synth', '--quiet', '--no-notices', '--output', output, ...settings],
    { cwd: root, encoding: 'utf8' },
  );
  rmSync(output, { recursive: true });
  if (status !== 0) throw new WrongCommand(stderr);
}

function vitest(name: string, args: readonly string[]): void {
  if (name !== 'vitest') throw new WrongCommand(`npx ${name} is not known here`);
  const paths = args.filter((arg) => arg.startsWith('test/'));
  const missing = paths.filter((path) => !existsSync(join(root, path)));
  if (missing.length > 0) throw new WrongCommand(`${missing.join(', ')} does not exist`);
  const [, project] = / --project (\S+)/.exec(args.join(' ')) ?? [];
  const sets = readFileSync(join(root, 'test/support/sets.ts'), 'utf8');
  if (project && !new RegExp(`^ {2}'?${project}'?:`, 'm').test(sets))
    throw new WrongCommand(`there is no project ${project}`);
}

if (isMain(import.meta.filename)) {
  try {
    handle(process.argv.slice(2));
  } catch (error) {
    console.error(error instanceof WrongCommand ? error.message : error);
    process.exitCode = 1;
  }
}
