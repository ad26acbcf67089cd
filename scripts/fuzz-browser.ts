/** `npm run fuzz:browser`: shows hostile mail in every place of the inbox and the console; writes `bench/hostile.md`. */
import { launchChromium } from '../test/support/browser/chromium.ts';
import { table } from './bench/figures.ts';
import { startHostileRun } from './fuzz/browser-run.ts';
import { type Walk, walk } from './fuzz/browser-walk.ts';
import { commandOf, type FuzzOptions, readOptions } from './fuzz/options.ts';
import { writeSection } from './fuzz/page.ts';
import { batchesOf } from './fuzz/run-fuzzer.ts';

const help = `Usage: npm run fuzz:browser -- [options]

Sends messages of npm run fuzz:mail, with active content in their html, and messages that are active as a whole, to a local
run, a new one for each batch. Opens each message, draft and list in a browser without a screen, at 375 and 1280 px.

  --seed N    seed of the messages; default 1
  --count N   number of messages; default 300
  --first N   number of the first message; default 0
  --batch N   messages of a run; default 60
  --case N    only this message
  --help

Runs of at least 15 messages write bench/hostile.md. The exit code is 1 when a view has a fault.`;

const pageCountMin = 15;
/** SES takes no larger ones. */
const octetsMax = 40_000_000;

const options = readOptions(help, { count: 300, batch: 60 });
if (options) {
  const startedAt = performance.now();
  const { walks, kinds } = await runAll(options);
  const seconds = Math.round((performance.now() - startedAt) / 1000);
  const faults = walks.flatMap((one) => one.faults);
  console.log(`${faults.length} faults, ${kinds.length} messages, ${seconds} s`);
  if (options.count >= pageCountMin)
    console.log(`wrote ${writeSection('In the browser', render(walks, kinds, seconds))}`);
  process.exitCode = faults.length > 0 ? 1 : 0;
}

async function runAll(given: FuzzOptions): Promise<{ walks: readonly Walk[]; kinds: readonly string[] }> {
  const browser = await launchChromium();
  const walks: Walk[] = [];
  const kinds: string[] = [];
  try {
    for (const numbers of batchesOf(given)) {
      const hostile = await startHostileRun({ seed: given.seed, numbers, octetsMax });
      try {
        const walked = await walk(browser, hostile);
        for (const fault of walked.faults) console.error(`FAILED messages from ${numbers[0]}: ${fault}`);
        walks.push(walked);
        kinds.push(...hostile.kinds);
      } finally {
        await hostile.run.close();
      }
      console.log(`${kinds.length} messages, ${walks.flatMap((one) => one.faults).length} faults`);
    }
  } finally {
    await browser.close();
  }
  return { walks, kinds };
}

function render(walks: readonly Walk[], kinds: readonly string[], seconds: number): string {
  const faults = walks.flatMap((one) => one.faults);
  const views = new Map<string, number>();
  for (const [place, count] of walks.flatMap((one) => [...one.views]))
    views.set(place, (views.get(place) ?? 0) + count);
  const counts = Map.groupBy(kinds, (kind) => kind.replace(/^one field: .*/, 'much text in one field'));
  return [
    `\`${commandOf('fuzz:browser')}\`: ${kinds.length} messages in ${walks.length} runs, ${seconds} s, **${faults.length} failures**. Each view at 375 and 1280 px: no request leaves the origin, nothing of the mail runs, no dialog or window opens, the page stays where it is, our own pages write no error, nothing is wider than the window, heading and way back are there.`,
    `A page of ours had at most ${Math.max(...walks.map((one) => one.elementsMost))} elements, frames aside; its longest task took ${Math.max(...walks.map((one) => one.longestTaskMs))} ms.`,
    table(['Place', 'Views'], [...views]),
    table(['Kind', 'Messages'], [...counts].map(([kind, { length }]) => [kind, length] as const).toSorted()),
    ...(faults.length === 0
      ? []
      : [
          table(
            ['Failed'],
            faults.slice(0, 50).map((one) => [one.slice(0, 200).replace(/\s+/g, ' ')]),
          ),
        ]),
  ].join('\n\n');
}
