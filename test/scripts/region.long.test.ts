import { expect, it } from 'vitest';
import type { RegionOutcome } from '../../scripts/region/run-drill.ts';
import { scriptResult } from '../support/script-result.ts';

const lossless = { doubled: 0, receivedTwice: 0, lostFromBefore: 0, receivedLost: 0, stuck: 0 };

it('the loss of the home region in the middle of a load, and the way home, lose nothing from before the lag and double nothing', async () => {
  const outcomes = await scriptResult<RegionOutcome[]>(
    'drill-region',
    '--json',
    '--runs',
    '2',
    '--seed',
    '1',
    '--actions',
    '16',
    '--lag-actions',
    '8',
  );
  for (const { figures, missing, wayHome, unfenced } of outcomes) {
    expect(missing).toBeGreaterThan(0);
    expect(figures.accepted).toBeGreaterThan(0);
    expect(figures).toMatchObject(lossless);
    // A home region that is back behind its fence; and one without.
    expect(wayHome.fenced).toMatchObject({ sent: 0, doubled: 0, posted: 0, toldTwice: 0 });
    expect(wayHome.fenced.waiting).toBeGreaterThan(0);
    expect(unfenced.sent + unfenced.posted).toBeGreaterThan(0);
    expect(wayHome.figures.accepted).toBeGreaterThan(figures.accepted);
    expect(wayHome.figures).toMatchObject({ ...lossless, unconfirmed: 0 });
  }
}, 1_200_000);
