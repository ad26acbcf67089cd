/** The TypeScript library as a package: what `npm pack` makes, in the hands of runtimes, compilers and linters of packages. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { apiReport } from '../../clients/typescript/report.ts';
import { version } from '../../clients/typescript/src/version.ts';

const root = join(import.meta.dirname, '../..');
const library = join(root, 'clients/typescript');
const tools = join(root, 'test/tools/node_modules');
const compilers = {
  'TypeScript 7': join(root, 'node_modules/typescript/bin/tsc'),
  'TypeScript 5.9': join(tools, 'typescript/bin/tsc'),
};

const folder = mkdtempSync(join(tmpdir(), 'parley-package-'));
const report = readFileSync(join(library, 'api.md'), 'utf8');
let tarball = '';

function run(command: string, args: readonly string[], cwd = folder) {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd, encoding: 'utf8' });
  return { status, output: `${stdout}${stderr}` };
}

/** A folder with the package and a program in it. */
function installed(name: string, files: Readonly<Record<string, string>>): string {
  const app = join(folder, name);
  mkdirSync(app);
  writeFileSync(join(app, 'package.json'), '{"private":true}');
  const { status, output } = run('npm', ['install', '--offline', '--no-audit', '--no-fund', tarball], app);
  expect(status, output).toBe(0);
  for (const [file, text] of Object.entries(files)) writeFileSync(join(app, file), text);
  return app;
}

beforeAll(() => {
  const { status, output } = run('npm', ['pack', '--pack-destination', folder], library);
  expect(status, output).toBe(0);
  tarball = join(folder, `parley-client-${version}.tgz`);
});

afterAll(() => rmSync(folder, { recursive: true }));

describe('npm pack', () => {
  it('makes a package of built files, a page and a licence, with the public surface of api.md', () => {
    const app = installed('content', {});
    const { output } = run('tar', ['-tzf', tarball]);
    const others = output
      .trim()
      .split('\n')
      .map((file) => file.replace('package/', ''))
      .filter((file) => !/^dist\/(esm|cjs)\/.+\.d\.ts$/.test(file));
    expect(others.sort()).toEqual([
      'LICENSE',
      'README.md',
      'dist/cjs/index.js',
      'dist/cjs/package.json',
      'dist/esm/index.js',
      'dist/esm/package.json',
      'package.json',
    ]);
    const packed = join(app, 'node_modules/parley-client');
    const { dependencies } = JSON.parse(readFileSync(join(packed, 'package.json'), 'utf8'));
    expect(dependencies).toBeUndefined();
    // `npm run clients` writes it; read the difference.
    expect(report).toBe(apiReport(join(packed, 'dist/esm')));
  });

  it('makes a package that publint and attw find nothing wrong with', () => {
    const lint = run(process.execPath, [join(tools, 'publint/src/cli.js'), '--strict', tarball]);
    expect(lint, lint.output).toMatchObject({ status: 0, output: expect.stringContaining('All good!') });
    const types = run(process.execPath, [join(tools, '@arethetypeswrong/cli/dist/index.js'), tarball]);
    expect(types, types.output).toMatchObject({
      status: 0,
      output: expect.stringContaining('No problems found'),
    });
  });
});

describe('the package', () => {
  const use = `
    const parley = new Parley({ apiKey: 'k', baseUrl: 'https://a.example', fetch: async () => Response.json({ id: 'eml_1' }) });
    parley.emails.retrieve('eml_1').then((email) => console.log(email.id, new NotFoundError('not_found', { detail: '' }) instanceof Error));`;

  it('is a module of ESM and of CommonJS', () => {
    const app = installed('formats', {
      'a.mjs': `import { NotFoundError, Parley } from 'parley-client';${use}`,
      'b.cjs': `const { NotFoundError, Parley } = require('parley-client');${use}`,
    });
    for (const file of ['a.mjs', 'b.cjs'])
      expect(run(process.execPath, [file], app).output).toBe('eml_1 true\n');
  });

  it.each(Object.entries(compilers))('has the types that its page promises, for %s', (name, compiler) => {
    const page = readFileSync(join(library, 'README.md'), 'utf8');
    const blocks = [...page.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, code = '']) => code);
    const code = blocks.join('\n');
    // Imports go first, each name once.
    const imports = [...new Set(code.match(/^import .*$/gm))].join('\n');
    const sample = `${imports}\n${code.replaceAll(/^import .*$/gm, '')}`;
    const app = installed(`types-${name.replace(/\W/g, '')}`, {
      'readme.mts': sample,
      'old.cts': `import { Parley, type Email } from 'parley-client';\nexport const read = (id: string): Promise<Email> => new Parley().emails.retrieve(id);`,
      'wrong.mts': `import { Parley } from 'parley-client';\nvoid new Parley().emails.send({ from: 'a', to: 4711, subject: '' });`,
      'browser.mts': `import { Parley } from 'parley-client';\nexport const list = (parley: Parley) => parley.emails.list();`,
    });
    const options = [
      '--noEmit',
      '--strict',
      '--exactOptionalPropertyTypes',
      '--target',
      'es2022',
      '--module',
      'nodenext',
    ];
    const node = ['--types', 'node', '--typeRoots', join(root, 'node_modules/@types')];
    const right = run(process.execPath, [compiler, ...options, ...node, 'readme.mts', 'old.cts'], app);
    expect(right.output).toBe('');
    const wrong = run(process.execPath, [compiler, ...options, ...node, 'wrong.mts'], app);
    expect(wrong.output).toMatch(/Type 'number' is not assignable to type 'AddressListInput'/);
    const browser = ['--lib', 'es2022,dom'];
    expect(run(process.execPath, [compiler, ...options, ...browser, 'browser.mts'], app).output).toBe('');
  });
});
