/** `npm run limits`: load under the limits of AWS accounts on the local cloud; writes `bench/limits.md`. Fails where mail is lost, doubled or late. */
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text as textOf } from 'node:stream/consumers';
import { parseArgs } from 'node:util';
import { loads, pageLoads } from './limits/loads.ts';
import { faultsOf, pageOf } from './limits/page.ts';
import { paperSection, paperStart, settingsTable } from './limits/paper.ts';
import { type LoadFigures, runLoad } from './limits/run-load.ts';
import { scalingLoads, scalingStart, scalingTables } from './limits/scaling.ts';
import { withText } from './written-text.ts';

const help = `Usage: npm run limits -- [options]

  --load NAME   one load only (${loads.map(({ name }) => name).join(', ')}), its figures as JSON on stdout; writes no page
  --paper       writes what a deployment carries on paper into bench/limits.md, docs/quotas.md and docs/scaling.md; runs no load
  --figures DIR such figures: loads with a file DIR/NAME.json are not run again
  --help`;

const page = join(import.meta.dirname, '../bench/limits.md');
const quotas = join(import.meta.dirname, '../docs/quotas.md');

const scaling = join(import.meta.dirname, '../docs/scaling.md');

const { values } = parseArgs({
  options: {
    load: { type: 'string' },
    figures: { type: 'string' },
    paper: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});
if (values.help) console.log(help);
else if (values.paper) await writePaper();
else if (values.load) console.log(JSON.stringify(await runNamed(values.load)));
else await main();

async function runNamed(name: string): Promise<LoadFigures> {
  const load = loads.find((one) => one.name === name);
  if (!load) throw new Error(`there is no load ${name}; --help lists them`);
  return await runLoad(load, report);
}

async function writePaper(): Promise<void> {
  writeFileSync(page, withText(readFileSync(page, 'utf8'), paperStart, paperSection()));
  writeFileSync(quotas, withText(readFileSync(quotas, 'utf8'), paperStart, settingsTable()));
  for (const load of scalingLoads) {
    const text = await scalingTables[load]();
    writeFileSync(scaling, withText(readFileSync(scaling, 'utf8'), scalingStart(load), text));
  }
}

async function main(): Promise<void> {
  const figures: LoadFigures[] = [];
  for (const { name, title } of pageLoads) {
    report(title);
    figures.push(knownFigures(name) ?? (await runInProcess(name)));
  }
  const text = pageOf(figures, new Date());
  mkdirSync(join(page, '..'), { recursive: true });
  writeFileSync(page, text);
  console.log(text);
  process.exitCode = figures.some((one) => faultsOf(one).length > 0) ? 1 : 0;
}

/** Of a load that was run by itself. */
function knownFigures(name: string): LoadFigures | null {
  const file = join(values.figures ?? '', `${name}.json`);
  return values.figures !== undefined && existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : null;
}

/** AWS clients are shared in a process, and each load has a cloud of its own. */
async function runInProcess(name: string): Promise<LoadFigures> {
  const child = spawn(process.execPath, [import.meta.filename, '--load', name], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return JSON.parse(await textOf(child.stdout));
}

function report(text: string): void {
  console.error(`${(performance.now() / 1000).toFixed(0).padStart(5)} s  ${text}`);
}
