import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';
import type { RegionOutcome } from '../../scripts/region/run-drill.ts';

const root = join(import.meta.dirname, '../..');
const patienceMs = 1_200_000;

/** In a process of its own, whose clouds have data folders. */
async function drill(...args: readonly string[]): Promise<RegionOutcome[]> {
  const script = join(root, 'scripts/drill-region.ts');
  const { stdout } = await promisify(execFile)(process.execPath, [script, '--json', ...args], { cwd: root });
  return JSON.parse(stdout);
}

describe('the loss of the home region in the middle of a load', () => {
  let outcomes: RegionOutcome[];

  beforeAll(async () => {
    outcomes = await drill('--runs', '2', '--seed', '1', '--actions', '16', '--lag-actions', '8');
  }, patienceMs);

  it('doubles nothing, and loses nothing from before the lag of the copy and no received message', () => {
    for (const { figures, missing } of outcomes) {
      expect(missing).toBeGreaterThan(0);
      expect(figures.accepted).toBeGreaterThan(0);
      expect(figures).toMatchObject({
        doubled: 0,
        receivedTwice: 0,
        lostFromBefore: 0,
        receivedLost: 0,
        stuck: 0,
      });
    }
  });

  it('sends nothing and posts nothing from a home region that is back behind its fence, which it does without', () => {
    for (const { wayHome, unfenced } of outcomes) {
      expect(wayHome.fenced).toMatchObject({ sent: 0, doubled: 0, posted: 0, toldTwice: 0 });
      expect(wayHome.fenced.waiting).toBeGreaterThan(0);
      expect(unfenced.sent + unfenced.posted).toBeGreaterThan(0);
    }
  });

  it('doubles and loses nothing on the way home, and leaves nothing unknown', () => {
    for (const { wayHome, figures } of outcomes) {
      expect(wayHome.figures.accepted).toBeGreaterThan(figures.accepted);
      expect(wayHome.figures).toMatchObject({
        doubled: 0,
        receivedTwice: 0,
        lostFromBefore: 0,
        receivedLost: 0,
        unconfirmed: 0,
        stuck: 0,
      });
    }
  });
});
