import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Outcome } from '../../scripts/restore/run-drill.ts';

const root = join(import.meta.dirname, '../..');
const patienceMs = 540_000;

/** In a process of its own, whose clouds have data folders. */
async function drill(...args: readonly string[]): Promise<Outcome[]> {
  const script = join(root, 'scripts/drill-restore.ts');
  const { stdout } = await promisify(execFile)(process.execPath, [script, '--json', ...args], { cwd: root });
  return JSON.parse(stdout);
}

describe('a restore of the table in the middle of a load', () => {
  let outcomes: Outcome[];

  beforeAll(async () => {
    outcomes = await drill('--runs', '2', '--seed', '1', '--actions', '20');
  }, patienceMs);

  it('names what is lost from after the moment, and completes nothing that has not left', () => {
    for (const { figures } of outcomes) {
      expect(figures.lost).toBeGreaterThan(0);
      expect(figures.lostAndNamed).toBe(figures.lost);
      expect(figures.completedFromLogsNotSent).toBe(0);
    }
  });

  it('doubles nothing, and loses nothing from before the moment and no received message', () => {
    for (const { figures } of outcomes) {
      expect(figures.accepted).toBeGreaterThan(20);
      expect(figures).toMatchObject({
        doubled: 0,
        receivedTwice: 0,
        lostFromBefore: 0,
        receivedLost: 0,
        unreadable: 0,
        stuck: 0,
      });
    }
  });
});
