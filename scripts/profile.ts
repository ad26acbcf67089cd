/** `npm run profile`: where the processor time of the functions goes for one email in and one email out; writes `bench/profile.md`. */
import { writeFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { homeRegion } from '../lib/local/index.ts';
import { quantile } from './bench/figures.ts';
import { type Chain, chains, prepareChain, timedFunctions } from './bench/measure-chain.ts';
import { type Stage, startStage } from './bench/stage.ts';
import { bundleSources } from './profile/bundle-sources.ts';
import { type ChainProfile, cpuOf, type FunctionTime, pageOf } from './profile/page.ts';
import { type Part, timesOf } from './profile/parts.ts';
import { attachProfiler, type ThreadProfiler } from './profile/thread-profiler.ts';

const help = `Usage: npm run profile -- [options]

  --emails N   emails of each direction in each run, default 60
  --cpu        no profiler: the processor time of each function alone, on the terminal; writes no page
  --help`;

const page = join(import.meta.dirname, '../bench/profile.md');
/** Enough for V8 to compile what is hot: after 40 emails, one takes a fourth more. */
const warmUps = 500;

const { values } = parseArgs({
  options: {
    emails: { type: 'string', default: '60' },
    cpu: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});
if (values.help) console.log(help);
else await main(Number(values.emails));

async function main(emails: number): Promise<void> {
  const load = Math.round(loadavg()[0] ?? 0);
  const stage = await startStage();
  const profiler = await attachProfiler();
  try {
    // Reports arrive seconds after a submission, not while its function runs.
    stage.cloud.ses.events(homeRegion).hold(true);
    const profiled: ChainProfile[] = [];
    for (const chain of chains.filter(({ name }) => ['receive-no-log', 'send-no-log'].includes(name))) {
      const found = await profileChain(stage, values.cpu ? null : profiler, chain, emails);
      for (const { name, invocations, calls, cpuMs } of found.functions) {
        console.error(`${name}: ${invocations} of ${calls} calls, ${cpuMs.toFixed(2)} ms`);
      }
      console.error(`${chain.title}: ${cpuOf(found).toFixed(1)} ms an email`);
      profiled.push(found);
    }
    if (values.cpu) return;
    const text = pageOf(profiled, { at: new Date(), emails, load });
    writeFileSync(page, text);
    console.log(text);
  } finally {
    profiler.close();
    await stage.close();
  }
}

async function profileChain(
  stage: Stage,
  profiler: ThreadProfiler | null,
  chain: Chain,
  emails: number,
): Promise<ChainProfile> {
  const act = await prepareChain(stage, chain);
  for (let at = 0; at < warmUps; at++) await act(`warm-${at}`);
  stage.observer.takeAll();
  for (let at = 0; at < emails; at++) await act(`measured-${at}`);
  const functions = functionTimes(stage, emails);
  const times = new Map<Part, number>();
  if (profiler) {
    await profiler.start();
    for (let at = 0; at < emails; at++) await act(`profiled-${at}`);
    const sourceOf = bundleSources();
    const measured = new Set(functions.map(({ name }) => name));
    for (const { thread, profile } of await profiler.stop()) {
      if (!measured.has(thread.replace(/~\d+$/, ''))) continue;
      for (const [part, time] of timesOf(profile, sourceOf)) times.set(part, (times.get(part) ?? 0) + time);
    }
  }
  return { title: chain.title, functions, times };
}

/** Of all functions but those that a timer sets off. */
function functionTimes({ observer }: Stage, emails: number): readonly FunctionTime[] {
  return [...observer.takeAll()]
    .filter(([name]) => !timedFunctions.has(name))
    .map(([name, invocations]) => ({
      name,
      invocations: invocations.length / emails,
      calls: invocations.reduce((sum, { calls }) => sum + calls.length, 0) / invocations.length,
      cpuMs: quantile(
        invocations.map(({ cpuMs }) => cpuMs ?? 0),
        0.25,
      ),
    }));
}
