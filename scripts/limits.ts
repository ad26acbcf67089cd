/** `npm run limits`: load under the limits of AWS accounts on the local cloud; writes `bench/limits.md`. Fails where mail is lost, doubled or late. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { loads, slice } from './limits/loads.ts';
import { faultsOf, pageOf } from './limits/page.ts';
import { type LoadFigures, runLoad } from './limits/run-load.ts';

const help = `Usage: npm run limits -- [options]

  --slice   a small load only, its figures as JSON on stdout; writes no page
  --help`;

const page = join(import.meta.dirname, '../bench/limits.md');

const { values } = parseArgs({
  options: { slice: { type: 'boolean', default: false }, help: { type: 'boolean', default: false } },
});
if (values.help) console.log(help);
else if (values.slice) console.log(JSON.stringify(await runLoad(slice, report)));
else await main();

async function main(): Promise<void> {
  const figures: LoadFigures[] = [];
  for (const load of loads) {
    report(load.title);
    figures.push(await runLoad(load, report));
  }
  const text = pageOf(figures, new Date());
  mkdirSync(join(page, '..'), { recursive: true });
  writeFileSync(page, text);
  console.log(text);
  process.exitCode = figures.some((one) => faultsOf(one).length > 0) ? 1 : 0;
}

function report(text: string): void {
  console.error(`${(performance.now() / 1000).toFixed(0).padStart(5)} s  ${text}`);
}
