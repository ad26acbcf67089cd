/** Fuzzed and active mail in every place of the inbox and the console, at both widths; `npm run fuzz:browser` has more of it. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type HostileRun, startHostileRun } from '../../scripts/fuzz/browser-run.ts';
import { walk } from '../../scripts/fuzz/browser-walk.ts';
import { targetedCount } from '../../scripts/fuzz/message-cases.ts';
import { chromium } from '../support/browser/chromium.ts';

/** Every third one is active as a whole. Cases of the corpus depend on what lies beside the repository. */
const numbers = Array.from({ length: 12 }, (_, at) => targetedCount + at);

let hostile: HostileRun;
beforeAll(async () => {
  hostile = await startHostileRun({ seed: 1, numbers, octetsMax: 300_000, without: 'corpus' });
});
afterAll(() => hostile.run.close());

it('runs nothing, sends nothing, goes nowhere and breaks no layout, in every place that there is to see', async () => {
  const walked = await walk(await chromium(), hostile);
  expect(walked.faults).toEqual([]);
  expect(hostile.kinds.length).toBeGreaterThan(5);
  const places = [
    ...['inbox list', 'inbox message', 'conversation', 'draft', 'list', 'search', 'drafts', 'events'],
    ...['suppressions', 'webhook deliveries', 'blocked mail', 'receiver of the inbox', 'panel'],
  ];
  expect(places.filter((place) => !walked.views.has(place))).toEqual([]);
});
