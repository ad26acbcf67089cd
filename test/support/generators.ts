/** Generators of clients, as their users run them: on a document in `docs/openapi`, in a folder of their own. */
import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ApiVersion } from '../../lib/http/versions.ts';

const tools = join(import.meta.dirname, '../tools/node_modules');
const documentOf = (version: ApiVersion) => join(import.meta.dirname, `../../docs/openapi/v${version}.json`);

/** The arguments that make a client in the folder `api`, after the program. */
const generators = {
  'openapi-typescript': (document: string) => [
    'openapi-typescript/bin/cli.js',
    document,
    '--output',
    'api/index.ts',
  ],
  '@hey-api/openapi-ts': (document: string) => [
    '@hey-api/openapi-ts/bin/run.js',
    '--input',
    document,
    '--output',
    'api',
  ],
  orval: () => ['orval/dist/bin/orval.mjs', '--config', 'orval.config.mjs'],
} as const;

export type Generator = keyof typeof generators;
export const generatorNames = Object.keys(generators) as Generator[];

/** Split by tag, with a file for each schema: as many files as orval makes. */
const orvalConfig = (document: string): string => `
export default {
  parley: {
    input: ${JSON.stringify(document)},
    output: {
      mode: 'tags-split',
      target: 'api/index.ts',
      schemas: 'api/model',
      client: 'fetch',
      baseUrl: { getBaseUrlFromSpecification: true },
    },
  },
};
`;

/** A generated client. */
export interface GeneratedClient {
  /** With the client in `api`; the caller removes it. */
  readonly folder: string;
  /** What the generator printed. */
  readonly output: string;
  readonly files: readonly string[];
}

/** @throws Error when the generator fails */
export async function generateClient(generator: Generator, version: ApiVersion): Promise<GeneratedClient> {
  const folder = mkdtempSync(join(tmpdir(), 'parley-generated-'));
  const document = documentOf(version);
  writeFileSync(join(folder, 'orval.config.mjs'), orvalConfig(document));
  const [program = '', ...rest] = generators[generator](document);
  const { code, output } = await run([join(tools, program), ...rest], folder);
  if (code !== 0) throw new Error(`${generator} failed: ${output}`);
  const files = readdirSync(join(folder, 'api'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  return { folder, output, files };
}

/**
 * What the compiler of most projects finds in a program beside a generated client.
 *
 * @param flags beyond `--strict`
 */
export async function diagnosticsOf(
  { folder }: GeneratedClient,
  program: string,
  flags: readonly string[],
): Promise<string[]> {
  writeFileSync(join(folder, 'program.ts'), program);
  const options = ['--noEmit', '--strict', '--target', 'es2022', '--module', 'esnext'];
  const { output } = await run(
    [join(tools, 'typescript/bin/tsc'), ...options, '--moduleResolution', 'bundler', ...flags, 'program.ts'],
    folder,
  );
  // The run-time part of @hey-api/openapi-ts, the same for every document, does not compile with exactOptionalPropertyTypes.
  return output
    .split('\n')
    .filter((line) => line.includes('error TS') && !/^api\/(?:client|core)\//.test(line));
}

function run(parameters: readonly string[], cwd: string): Promise<{ code: number; output: string }> {
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      parameters,
      { cwd, encoding: 'utf8', maxBuffer: 2 ** 26, env: { ...process.env, NO_COLOR: '1' } },
      (_error, stdout, stderr) => resolve({ code: child.exitCode ?? 1, output: stdout + stderr }),
    );
  });
}
