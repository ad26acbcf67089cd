/** The package `parley-mcp` as hosts start it: packed, installed without a network, by each snippet of its README. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { tools } from '../../clients/mcp/src/tools/all.ts';
import { cloud } from '../support/cloud.ts';
import { workspace } from '../support/workspace.ts';
import { host } from './support/mcp-client.ts';

const source = join(import.meta.dirname, '../../clients/mcp');
const readme = readFileSync(join(source, 'README.md'), 'utf8');
const { version } = JSON.parse(readFileSync(join(source, 'package.json'), 'utf8'));

interface Entry {
  readonly command?: string;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly url?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Heading and server of each snippet. */
const snippets = readme
  .split(/^## /m)
  .slice(1)
  .flatMap((section): [string, Entry][] => {
    const text = /```json\n([\s\S]*?)```/.exec(section)?.[1];
    if (text === undefined) return [];
    const { mcpServers, servers } = JSON.parse(text);
    return [[section.slice(0, section.indexOf('\n')), (mcpServers ?? servers).parley]];
  });
const programs = snippets.filter(([, { command }]) => command !== undefined);

let folder = '';
function run(command: string, args: readonly string[], cwd: string) {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd, encoding: 'utf8' });
  return { status, output: `${stdout}${stderr}` };
}

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'parley-mcp-'));
  writeFileSync(join(folder, 'package.json'), '{"private":true}');
  const packed = run('npm', ['pack', '--pack-destination', folder], source);
  expect(packed, packed.output).toMatchObject({ status: 0 });
  const tarball = join(folder, `parley-mcp-${version}.tgz`);
  const added = run('npm', ['install', '--offline', '--no-audit', '--no-fund', tarball], folder);
  expect(added, added.output).toMatchObject({ status: 0 });
});
afterAll(() => rmSync(folder, { recursive: true }));

describe('the package', () => {
  it('is one program, a page and a licence, without dependencies', () => {
    const { output } = run('tar', ['-tzf', `parley-mcp-${version}.tgz`], folder);
    const files = output
      .trim()
      .split('\n')
      .map((file) => file.replace('package/', ''));
    expect(files.sort()).toEqual(['LICENSE', 'README.md', 'dist/parley-mcp.js', 'package.json']);
    const packed = JSON.parse(readFileSync(join(folder, 'node_modules/parley-mcp/package.json'), 'utf8'));
    expect(packed.dependencies).toBeUndefined();
    const program = readFileSync(join(folder, 'node_modules/parley-mcp/dist/parley-mcp.js'));
    expect(program.byteLength).toBeLessThan(400 * 1024);
  });

  it('has the version that the server tells', async () => {
    const { version: told } = await import('../../clients/mcp/src/version.ts');
    expect(told).toBe(version);
  });

  it('says what is missing, and writes nothing to stdout', () => {
    const { status, stdout, stderr } = spawnSync('npx', ['-y', 'parley-mcp'], {
      cwd: folder,
      encoding: 'utf8',
      env: { ...process.env, PARLEY_API_KEY: '', PARLEY_BASE_URL: '' },
    });
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
    expect(stderr).toMatch(/^parley-mcp: There is no API key/);
  });
});

describe('the README', () => {
  it('has the hosts that many people use', () => {
    expect(snippets.map(([heading]) => heading)).toEqual([
      'Claude Desktop',
      'Claude Code',
      'Cursor',
      'VS Code',
      'Without a program',
    ]);
  });

  it.each(programs)('has a snippet for %s with which a host has the tools', async (_, entry) => {
    const { command = '', args = [], env = {} } = entry;
    expect(Object.keys(env)).toEqual(['PARLEY_API_KEY', 'PARLEY_BASE_URL']);
    const ours = await workspace();
    // As the host, which puts in what the person gives.
    const program = { command, args, cwd: folder };
    const startedAt = performance.now();
    const { names, call } = await host(await ours.keyOf('read'), 'stdio', program);
    expect(await names()).toEqual(tools.filter(({ scope }) => scope === 'read').map(({ name }) => name));
    expect(await call('find_threads')).toMatchObject({ found: 0 });
    expect(performance.now() - startedAt).toBeLessThan(60_000);
  });

  it('has a snippet for `POST /mcp`, which answers', async () => {
    const [, { url = '', headers = {} } = {}] = snippets.find(([, entry]) => entry.url !== undefined) ?? [];
    const ours = await workspace();
    const response = await fetch(new URL(new URL(url).pathname, cloud().baseUrl), {
      method: 'POST',
      headers: {
        authorization: String(headers.Authorization).replace('pk_…', ours.key),
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
    });
    expect(response.status).toBe(200);
  });
});
