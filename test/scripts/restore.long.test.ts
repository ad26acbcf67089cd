import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import type { Outcome } from '../../scripts/restore/run-drill.ts';

const root = join(import.meta.dirname, '../..');

/** In a process of its own, whose clouds have data folders. */
async function drill(...args: readonly string[]): Promise<Outcome[]> {
  const script = join(root, 'scripts/drill-restore.ts');
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [script, '--json', ...args], {
    cwd: root,
  });
  // Which emails were doubled, or stand still.
  if (stderr) console.error(stderr);
  return JSON.parse(stdout);
}

it('a restore of the table in the middle of a load loses nothing from before its moment, doubles nothing and names the rest', async () => {
  for (const { figures } of await drill('--runs', '2', '--seed', '1', '--actions', '20')) {
    expect(figures.accepted).toBeGreaterThan(20);
    expect(figures).toMatchObject({
      doubled: 0,
      receivedTwice: 0,
      lostFromBefore: 0,
      receivedLost: 0,
      unreadable: 0,
      stuck: 0,
    });
    expect(figures.lost).toBeGreaterThan(0);
    expect(figures.lostAndNamed).toBe(figures.lost);
    expect(figures.completedFromLogsNotSent).toBe(0);
  }
}, 540_000);
