/** `npm start` until it begins to work. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const program = join(import.meta.dirname, '../../bin/start.mjs');
const onNode20 = `data:text/javascript,Object.defineProperty(process, 'versions', { value: { node: '20.20.2' } })`;

function start(...args: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  return { status, stdout, stderr };
}

describe('npm start', () => {
  it('says that npm ci comes first, where no Node 24 is installed', () => {
    expect(start('--import', onNode20, program)).toEqual({
      status: 1,
      stdout: '',
      stderr: 'Run npm ci first: it installs Node 24, on which Parley runs (this is Node 20.20.2).\n',
    });
  });

  it('prints the first line before anything else', () => {
    expect(start(program, '--prot', '1')).toEqual({
      status: 2,
      stdout: 'Starting …\n',
      stderr: "Unknown option '--prot'. See npm start -- --help.\n",
    });
  });

  it('prints the help alone', () => {
    expect(start(program, '--help')).toMatchObject({ status: 0, stdout: expect.stringMatching(/^Usage: /) });
  });
});
