import { expect, it } from 'vitest';
import { callsPerEmail, callsPerEmailMax, disorderSecondsMax } from '../../scripts/limits/page.ts';
import type { LoadFigures } from '../../scripts/limits/run-load.ts';
import { scriptResult } from '../support/script-result.ts';

it('mail above the rate and the quota of a new account, with lag, repetition, throttling and a pause, is sent once each, in order and in few calls', async () => {
  const figures = await scriptResult<LoadFigures>('limits', '--load', 'slice');
  const { emails, lost, doubled, wrongEvents, deadLetters } = figures;
  expect({ emails, lost, doubled, wrongEvents, deadLetters }).toEqual({
    emails: 63,
    lost: 0,
    doubled: 0,
    wrongEvents: 0,
    deadLetters: 0,
  });
  expect(figures.sesThrottled).toBeGreaterThan(0);
  expect(callsPerEmail(figures)).toBeLessThanOrEqual(callsPerEmailMax);
  for (const { workspace, disorder } of figures.waits) {
    expect(disorder, workspace).toBeLessThanOrEqual(disorderSecondsMax);
  }
}, 240_000);
