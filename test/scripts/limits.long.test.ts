import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';
import { callsPerEmail, callsPerEmailMax, disorderSecondsMax } from '../../scripts/limits/page.ts';
import type { LoadFigures } from '../../scripts/limits/run-load.ts';

const root = join(import.meta.dirname, '../..');
const patienceMs = 240_000;

/** Runs in a process of its own: its cloud has the limits of a new account. */
async function runSlice(): Promise<LoadFigures> {
  const script = join(root, 'scripts/limits.ts');
  const { stdout } = await promisify(execFile)(process.execPath, [script, '--load', 'slice'], { cwd: root });
  return JSON.parse(stdout);
}

describe('mail above the rate and the quota of a new account, with lag, repetition, throttling and a pause', () => {
  let figures: LoadFigures;

  beforeAll(async () => {
    figures = await runSlice();
  }, patienceMs);

  it('is sent once each, with one email.sent event each', () => {
    const { emails, lost, doubled, wrongEvents, deadLetters } = figures;
    expect({ emails, lost, doubled, wrongEvents, deadLetters }).toEqual({
      emails: 63,
      lost: 0,
      doubled: 0,
      wrongEvents: 0,
      deadLetters: 0,
    });
  });

  it('takes at most 1.2 SES calls each', () => {
    expect(figures.sesThrottled).toBeGreaterThan(0);
    expect(callsPerEmail(figures)).toBeLessThanOrEqual(callsPerEmailMax);
  });

  it('leaves in the order of queueing', () => {
    for (const { workspace, disorder } of figures.waits) {
      expect(disorder, workspace).toBeLessThanOrEqual(disorderSecondsMax);
    }
  });
});
