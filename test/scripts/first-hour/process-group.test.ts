import { describe, expect, it } from 'vitest';
import { startGroup } from '../../../scripts/first-hour/process-group.ts';

const shell = (script: string) => startGroup('sh', ['-c', script], { cwd: import.meta.dirname });

describe('a process group', () => {
  it('waits for each pattern below the one before', async () => {
    const group = shell('echo one; echo two; read line; echo "$line"; sleep 60');
    await group.until(/two/, 10);
    await expect(group.until(/one|two/, 0)).rejects.toThrow(
      'did not print /one|two/ within 0 s:\none\ntwo\n',
    );
    group.write('three\n');
    await group.until(/three/, 10);
    await group.end('SIGTERM');
    expect(group.output()).toBe('one\ntwo\nthree\n');
  });

  it('fails with the output of a command that ends too early', async () => {
    const group = shell('echo wrong >&2; exit 3');
    await expect(group.until(/right/, 10)).rejects.toThrow('ended with 3\nwrong\n');
    await expect(group.succeeded(10)).rejects.toThrow('ended with 3:\nwrong\n');
    await group.end('SIGINT');
  });

  it('fails where there is no such command', async () => {
    const group = startGroup('no-such-command', [], { cwd: import.meta.dirname });
    await expect(group.succeeded(10)).rejects.toThrow(
      'no-such-command cannot run: spawn no-such-command ENOENT',
    );
    await group.end('SIGINT');
  });

  it('ends what runs in the background, too', async () => {
    const group = shell('sleep 60 & echo started; wait');
    await group.until(/started/, 10);
    await group.end('SIGTERM');
    await expect(group.succeeded(0)).rejects.toThrow('ended with SIGTERM');
  });

  it('has nothing that npm run adds', async () => {
    const group = shell('env');
    await group.succeeded(10);
    expect(group.output()).not.toMatch(/^npm_|node_modules\/\.bin/im);
  });
});
