/** The OpenAPI document in the hands of others' tools: a linter, and a generator of clients. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { generateApi } from 'swagger-typescript-api';
import { describe, expect, it, onTestFinished } from 'vitest';

const fileOf = (version: 1 | 2) => join(import.meta.dirname, `../../docs/openapi/v${version}.json`);
const compiler = join(import.meta.dirname, '../../node_modules/typescript/bin/tsc');

describe.each([1, 2] as const)('docs/openapi/v%d.json', (version) => {
  const file = fileOf(version);
  const source = readFileSync(file, 'utf8');

  it('has no finding of the linter', async () => {
    const config = await createConfig({
      extends: ['recommended'],
      rules: {
        // The committed document describes an example deployment.
        'no-server-example.com': 'off',
        // A download answers 307.
        'operation-2xx-response': 'off',
      },
    });
    const problems = await lintFromString({ source, absoluteRef: file, config });
    expect(problems.map(({ ruleId, message }) => `${ruleId}: ${message}`)).toEqual([]);
  });

  it('gives a client whose types fit correct calls and refuse wrong ones', async () => {
    const spec = JSON.parse(source);
    const { files } = await generateApi({ spec, output: false, silent: true, httpClientType: 'fetch' });
    const [generated] = files;
    const text = generated?.fileContent ?? '';
    const wrong = clients[version].replace(right[version], '4711');
    expect(diagnosticsOf(text, { 'right.ts': clients[version], 'wrong.ts': wrong })).toEqual([
      expect.stringMatching(/wrong\.ts.*Type 'number' is not assignable to type 'string'/),
    ]);
  });
});

/** A program that uses the generated client. */
const clients = {
  1: `
import { Api } from './generated.ts';
const { domains } = new Api();
export async function create(): Promise<string> {
  const { data } = await domains.createDomain({ domain: 'acme.dev' });
  return [data.domainId, ...data.records.map(({ name }) => name)].join(' ');
}
`,
  2: `
import { Api } from './generated.ts';
const { emails } = new Api();
export async function send(): Promise<string> {
  const { data } = await emails.sendEmail({
    from: 'a@acme.dev',
    to: ['anna@example.com'],
    subject: 'Hello',
    text: 'Hello',
  });
  return [data.id, data.status, ...data.suppressed].join(' ');
}
`,
};

/** A value of the program; a number in its place is wrong. */
const right = { 1: "'acme.dev'", 2: "'Hello'" };

/** What the compiler finds in a generated module and in programs that use it, by file name. */
function diagnosticsOf(generated: string, programs: Readonly<Record<string, string>>): string[] {
  const folder = mkdtempSync(join(tmpdir(), 'parley-client-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, 'generated.ts'), generated);
  for (const [name, text] of Object.entries(programs)) writeFileSync(join(folder, name), text);
  const options = [
    '--noEmit',
    '--ignoreConfig',
    '--strict',
    '--allowImportingTsExtensions',
    '--target',
    'es2022',
    '--module',
    'es2022',
  ];
  const result = spawnSync(
    process.execPath,
    [compiler, ...options, '--moduleResolution', 'bundler', '--types', '', ...Object.keys(programs)],
    { cwd: folder, encoding: 'utf8' },
  );
  return result.stdout.split('\n').filter((line) => line.includes('error TS'));
}
