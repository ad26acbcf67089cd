/** `npm run attack:agents`: a stranger tries to make a naive agent do harm, on a local cloud; writes `bench/agents.md`. Fails where anything gets through. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { setEnvironmentData } from 'node:worker_threads';
import { clockSkewKey } from '../lib/adapters/clock.ts';
import { newSkew, startCloud } from '../lib/local/index.ts';
import { useCloud } from '../test/support/cloud.ts';
import { addressOf } from '../test/support/cloud-address.ts';
import { families } from './attack-agents/families/all.ts';
import { pageOf } from './attack-agents/page.ts';
import { type Outcome, runAttacks, someOf, totals } from './attack-agents/run.ts';

const help = `Usage: npm run attack:agents -- [options]

  --family TEXT  only families whose title has this text; prints every attack and writes no page
  --control      with --family: the agent that may send and heeds nothing
  --help`;

const { values } = parseArgs({
  options: {
    family: { type: 'string' },
    control: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});
if (values.help) console.log(help);
else await main();

async function main(): Promise<void> {
  const clockSkew = newSkew();
  setEnvironmentData(clockSkewKey, clockSkew);
  const cloud = await startCloud({ clockSkew });
  useCloud(addressOf(cloud));
  const { family, control } = values;
  if (family === undefined) await writePage();
  else {
    const some = families.filter(({ title }) => title.includes(family));
    for (const outcome of await runAttacks(some, !control)) print(outcome);
  }
  await cloud.close();
}

async function writePage(): Promise<void> {
  const safe = await runAttacks(families, true);
  const control = await runAttacks(someOf(families), false);
  const page = join(import.meta.dirname, '../bench/agents.md');
  writeFileSync(page, pageOf({ safe, control }, new Date()));
  const { sent, twice, leaked } = totals(safe);
  console.log(`${safe.length} attacks: ${sent} sent, ${twice} answered twice, ${leaked} leaked; ${page}`);
  process.exitCode = sent + twice + leaked > 0 ? 1 : 0;
}

function print({ family, attack, notes, sent, leaked, twice }: Outcome): void {
  const through = Object.entries({ SENT: sent, LEAKED: leaked, TWICE: twice });
  const lines = through.flatMap(([kind, faults]) => faults.map((fault) => `  ${kind} ${fault}`));
  console.log([`${family}: ${attack.name}`, `  ${notes.join('; ')}`, ...lines].join('\n'));
}
