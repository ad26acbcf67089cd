import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { callsPerEmail, callsPerEmailMax, disorderSecondsMax } from '../../scripts/limits/page.ts';
import type { LoadFigures } from '../../scripts/limits/run-load.ts';

const root = join(import.meta.dirname, '../..');

/** Runs in a process of its own: its cloud has the limits of a new account. */
async function runSlice(): Promise<LoadFigures> {
  const script = join(root, 'scripts/limits.ts');
  const { stdout } = await promisify(execFile)(process.execPath, [script, '--load', 'slice'], { cwd: root });
  return JSON.parse(stdout);
}

it('mail above the rate and the quota of a new account, with lag, repetition, throttling and a pause, is sent once each and in order', async () => {
  const figures = await runSlice();
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
