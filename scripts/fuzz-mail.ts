/** `npm run fuzz:mail`: injects hostile mail into a local cloud and reads everything back; writes `bench/hostile.md`. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Stage } from './bench/stage.ts';
import { stuckMessages } from './fuzz/control.ts';
import { newInvocationTally } from './fuzz/invocations.ts';
import { renderMail } from './fuzz/mail-page.ts';
import { type MailBatchResult, type MailFailure, runMailBatch } from './fuzz/mail-run.ts';
import { targetedCount } from './fuzz/message-cases.ts';
import { faultOfEvent } from './fuzz/openapi-schemas.ts';
import { commandOf, type FuzzOptions, readOptions } from './fuzz/options.ts';
import { writeSection } from './fuzz/page.ts';
import { batchesOf, runFuzzer } from './fuzz/run-fuzzer.ts';

const help = `Usage: npm run fuzz:mail -- [options]

Injects generated and mutated messages over SMTP into a local cloud, a workspace for each batch. After each batch it reads
every list, thread, email, attachment, suppression, delivery and event of the workspace. The first ${targetedCount} cases
put 4 MB into each field in turn and into all at once; the others are random.

  --seed N    seed of the messages; default 1
  --count N   number of messages; default 5000
  --first N   number of the first message; default 0
  --batch N   messages of a workspace; default 50
  --case N    only this message
  --help

Runs of at least 1000 messages write bench/hostile.md.
The exit code is 1 when a case fails. The message is then saved in .local/fuzz/, and the command that repeats it is printed.
A case that fails only together with others is repeated with --first, --count and --batch.`;

const folder = join(import.meta.dirname, '../.local/fuzz');

/** Runs with fewer messages leave the page as it is. */
const pageCountMin = 1000;
/** Time enough for events that wait for the text of files, then for the next attempts of what failed. */
const drainMs = [20_000, 900_000, 900_000];

const options = readOptions(help, { count: 5000, batch: 50 });
if (options) {
  await runFuzzer(options, 'messages', async (stage, elapsedSeconds) => {
    const run = await runAll(stage, options);
    const text = renderMail({ ...run, command: commandOf('fuzz:mail'), seconds: elapsedSeconds() });
    if (options.count >= pageCountMin) console.log(`wrote ${writeSection('Mail', text)}`);
    return run.failures.length;
  });
}

async function runAll(stage: Stage, given: FuzzOptions) {
  const { seed, first, count, batch } = given;
  const tally = newInvocationTally();
  const results: MailBatchResult[] = [];
  const failures: MailFailure[] = [];
  const eventFaults: string[] = [];
  let events = 0;
  const hookUrl = await stage.receiver((event) => {
    events += 1;
    const fault = faultOfEvent(event);
    if (fault) eventFaults.push(fault);
  });
  const { baseUrl, controlUrl, smtpPort } = stage.cloud;
  const cloud = { baseUrl, controlUrl, smtpPort, settle: stage.rest };
  for (const numbers of batchesOf(given)) {
    const [from = first] = numbers;
    const result = await runMailBatch(cloud, { seed, numbers, hookUrl, drain: () => drain(stage) });
    const found: MailFailure[] = [
      ...result.failures,
      ...tally.add(stage.observer.takeAll()).map(({ sesId, what }) => {
        const about = result.outcomes.find((one) => one.sesId === sesId);
        return { number: about?.number ?? null, kind: about?.kind ?? 'batch', what, raw: null };
      }),
      ...eventFaults.splice(0).map((what) => ({ number: null, kind: 'batch', what, raw: null })),
    ];
    for (const failure of found) report(failure, { seed, first: from, count: numbers.length, batch });
    results.push(result);
    failures.push(...found);
    console.log(`${from + numbers.length - first} of ${count} messages, ${failures.length} failures`);
  }
  return { results, failures, events, worst: tally.worst };
}

async function drain({ cloud, rest }: Stage): Promise<void> {
  const known = new Set((await stuckMessages(cloud)).map(({ id }) => id));
  for (const ms of drainMs) {
    await cloud.clock.advance(ms);
    await rest();
    const stuck = await stuckMessages(cloud);
    if (stuck.every(({ id, queue }) => /dead-letters|undelivered/.test(queue) && known.has(id))) return;
  }
}

/** Prints a failure with the command that repeats it, and saves its message. */
function report({ number, kind, what, raw }: MailFailure, { seed, first, count, batch }: FuzzOptions): void {
  const cases = number === null ? `--first ${first} --count ${count} --batch ${batch}` : `--case ${number}`;
  console.error(`FAILED ${kind}: ${what.slice(0, 500)}\n  npm run fuzz:mail -- --seed ${seed} ${cases}`);
  if (raw === null) return;
  mkdirSync(folder, { recursive: true });
  const path = join(folder, `mail-${seed}-${number}.eml`);
  writeFileSync(path, raw);
  console.error(`  saved as ${path}`);
}
