import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { lockFolder } from '../../../bin/local/lock-folder.ts';

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'parley lock '));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

describe('lockFolder', () => {
  it('has a folder for one process until that releases it, or is killed', () => {
    const folder = join(newFolder(), 'made');
    const module = new URL('../../../bin/local/lock-folder.ts', import.meta.url).href;
    /** A process that locks the folder and is killed. */
    const other = () => {
      const program = `const { lockFolder } = await import('${module}');
        console.log(lockFolder(${JSON.stringify(folder)}) !== null);
        process.kill(process.pid, 'SIGKILL');`;
      const args = ['--input-type=module', '-e', program];
      return spawnSync(process.execPath, args, { encoding: 'utf8' }).stdout.trim();
    };
    const release = lockFolder(folder);
    expect(other()).toBe('false');
    release?.();
    expect([other(), other()]).toEqual(['true', 'true']);
    expect(readdirSync(folder)).toEqual(['run.lock']);
  });

  it('names the folder and the reason when it cannot be one', () => {
    const file = join(newFolder(), 'file');
    writeFileSync(file, '');
    expect(() => lockFolder(file)).toThrow(`Cannot write in ${file} (EEXIST`);
  });
});
