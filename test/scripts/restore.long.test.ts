import { expect, it } from 'vitest';
import type { Outcome } from '../../scripts/restore/run-drill.ts';
import { scriptResult } from '../support/script-result.ts';

it('a restore of the table in the middle of a load loses nothing from before its moment, doubles nothing and names the rest', async () => {
  for (const { figures } of await scriptResult<Outcome[]>(
    'drill-restore',
    '--json',
    '--runs',
    '2',
    '--seed',
    '1',
    '--actions',
    '20',
  )) {
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
