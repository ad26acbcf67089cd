/** `npm run fuzz`: sends valid, nearly valid and wild requests to a local cloud; writes `bench/hostile.md`. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Stage } from './bench/stage.ts';
import { renderApi } from './fuzz/api-page.ts';
import { type ApiBatchResult, type ApiFailure, runApiBatch } from './fuzz/api-run.ts';
import { newInvocationTally } from './fuzz/invocations.ts';
import { commandOf, type FuzzOptions, readOptions } from './fuzz/options.ts';
import { writeSection } from './fuzz/page.ts';
import { batchesOf, runFuzzer } from './fuzz/run-fuzzer.ts';

const help = `Usage: npm run fuzz -- [options]

Sends requests that follow from the documents in docs/openapi to a local cloud: a quarter valid, half with one thing changed, a quarter
wild. Each batch has two workspaces of its own. A failure is a 5xx, a response that the document does not describe, or an id
of the other workspace.

  --seed N    seed of the requests; default 1
  --count N   number of requests; default 20000
  --first N   number of the first request; default 0
  --batch N   requests of a pair of workspaces; default 1000
  --case N    only this request
  --help

Runs of at least 5000 requests write bench/hostile.md.
The exit code is 1 when a case fails. The request is then saved in .local/fuzz/, and the command that repeats it is printed.`;

const folder = join(import.meta.dirname, '../.local/fuzz');
/** Runs with fewer requests leave the page as it is. */
const pageCountMin = 5000;

const options = readOptions(help, { count: 20_000, batch: 1000 });
if (options) {
  await runFuzzer(options, 'requests', async (stage, elapsedSeconds) => {
    const run = await runAll(stage, options);
    const text = renderApi({ ...run, command: commandOf('fuzz'), seconds: elapsedSeconds() });
    if (options.count >= pageCountMin) console.log(`wrote ${writeSection('API requests', text)}`);
    else console.log(text);
    return run.failures.length;
  });
}

async function runAll(stage: Stage, given: FuzzOptions) {
  const { seed, first, count } = given;
  const tally = newInvocationTally();
  const results: ApiBatchResult[] = [];
  const failures: string[] = [];
  const { baseUrl, controlUrl, smtpPort } = stage.cloud;
  const cloud = { baseUrl, controlUrl, smtpPort, settle: stage.rest };
  for (const numbers of batchesOf(given)) {
    const [from = first] = numbers;
    const result = await runApiBatch(cloud, { seed, numbers });
    await stage.rest();
    for (const failure of result.failures) report(failure, seed);
    const over = tally.add(stage.observer.takeAll()).map(({ what }) => what);
    for (const what of over) {
      console.error(
        `FAILED ${what}\n  npm run fuzz -- --seed ${seed} --first ${from} --count ${numbers.length}`,
      );
    }
    results.push(result);
    failures.push(...result.failures.map(({ number, what }) => `case ${number}: ${what}`), ...over);
    console.log(`${from + numbers.length - first} of ${count} requests, ${failures.length} failures`);
  }
  return { results, failures, worst: tally.worst };
}

/** Prints a failure with the command that repeats it, and saves its request. */
function report({ number, what, request }: ApiFailure, seed: number): void {
  const { method, path, headers, body, kind } = request;
  mkdirSync(folder, { recursive: true });
  const file = join(folder, `request-${seed}-${number}.json`);
  // The key is of a workspace of this run.
  const { authorization: _, ...shown } = headers;
  writeFileSync(file, JSON.stringify({ kind, method, path, headers: shown, body: body?.toString('latin1') }));
  console.error(
    `FAILED ${kind} ${method} ${path.slice(0, 200)}: ${what.slice(0, 500)}\n  npm run fuzz -- --seed ${seed} --case ${number}\n  saved as ${file}`,
  );
}
