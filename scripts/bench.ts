/** `npm run bench`: measures the service on a local cloud of its own, and writes `bench/latest.md`. It judges, but never fails. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { bundleFunctions } from '../lib/constructs/bundle.ts';
import { keepFigures } from './bench/chain-figures.ts';
import { chainText, comparisonText } from './bench/chain-page.ts';
import { withFigures } from './bench/cost-page.ts';
import { measureAttempts } from './bench/measure-attempts.ts';
import {
  type ChainFigures,
  chains,
  endpointChains,
  measureChains,
  measureFixedUse,
} from './bench/measure-chain.ts';
import { measureFunctions } from './bench/measure-functions.ts';
import { measureLists } from './bench/measure-lists.ts';
import { measureLatency, measureLoad } from './bench/measure-mail-in.ts';
import { measureAuthentication, measureOperations } from './bench/measure-operations.ts';
import { measurePacing } from './bench/measure-pacing.ts';
import { measureReceiving } from './bench/measure-receiving.ts';
import { measureSubmission } from './bench/measure-submission.ts';
import { measureWebhooks } from './bench/measure-webhooks.ts';
import { measureWorkers } from './bench/measure-workers.ts';
import {
  functionText,
  loadText,
  type Measured,
  type MemoryFigures,
  memoryText,
  operationText,
  pacingText,
  pageOf,
  webhookText,
} from './bench/page.ts';
import { type Stage, startStage } from './bench/stage.ts';

const help = `Usage: npm run bench -- [options]

  --quick     fewer calls of everything, and lists of 100 and 2,000 emails
  --long      also 50 mails a second for a minute, and the memory of the largest submission and messages
  --webhooks  only the webhooks; replaces their section of the page
  --operations the same for the operations
  --pacing    the same for pacing
  --functions the same for what a cold start loads
  --memory    the same for the memory of functions
  --load      the same for 50 mails a second for a minute
  --chain     the same for the sums and the bill of whole chains
  --endpoints with --chain: also with more endpoints, up to as many as a workspace may have
  --json F    with --chain: also writes the figures to a file
  --than F    with --chain: also compares them with those of such a file
  --help`;

const page = join(import.meta.dirname, '../bench/latest.md');
const costPage = join(import.meta.dirname, '../docs/cost.md');

/** How much of everything is done. */
const extents = {
  usual: {
    calls: 30,
    rounds: 5,
    imports: 5,
    latencies: 50,
    lists: [100, 100_000],
    held: 100_000,
    chainEmails: 20,
  },
  quick: { calls: 5, rounds: 2, imports: 1, latencies: 10, lists: [100, 2_000], held: 5_000, chainEmails: 3 },
} as const;

const minuteOfLoad = { perSecond: 50, seconds: 60 } as const;

const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    long: { type: 'boolean', default: false },
    webhooks: { type: 'boolean', default: false },
    operations: { type: 'boolean', default: false },
    pacing: { type: 'boolean', default: false },
    functions: { type: 'boolean', default: false },
    memory: { type: 'boolean', default: false },
    load: { type: 'boolean', default: false },
    chain: { type: 'boolean', default: false },
    endpoints: { type: 'boolean', default: false },
    json: { type: 'string' },
    than: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
});
if (values.help) console.log(help);
else await main();

async function main(): Promise<void> {
  const outdir = mkdtempSync(join(tmpdir(), 'parley-bench-'));
  if (values.functions)
    return await replaceSection(() => measureStarts(outdir)).finally(() => removeFolder(outdir));
  const isSection = values.webhooks || values.operations || values.pacing || values.chain;
  const stage = await startStage();
  try {
    if (values.memory) return await replaceSection(() => measureMemorySection(stage, outdir));
    if (isSection || values.load) return await replaceSection(() => measureSection(stage));
    const text = pageOf(await measure(stage, outdir), {
      at: new Date(),
      command: ['npm run bench', ...(process.argv.length > 2 ? ['--', ...process.argv.slice(2)] : [])].join(
        ' ',
      ),
    });
    mkdirSync(join(page, '..'), { recursive: true });
    writeFileSync(page, text);
    console.log(text);
  } finally {
    await stage.close();
    removeFolder(outdir);
  }
}

/** Replaces one section of the page: with a load average, since it is not measured with the others. */
async function replaceSection(measureIt: () => Promise<Section>): Promise<void> {
  const load = Math.round(loadavg()[0] ?? 0);
  const [title, option, text] = await measureIt();
  const day = new Date().toISOString().slice(0, 10);
  const written = `Written by \`npm run bench -- --${option}\` on ${day}, at a load average of ${load} before it began.`;
  const section = `## ${title}\n\n${written}\n\n${text}\n\n`;
  const old = readFileSync(page, 'utf8');
  // Sections have subsections of the same titles.
  const found = old.indexOf(`\n## ${title}\n`);
  const begin = (found < 0 ? old.indexOf('\n## Parser\n') : found) + 1;
  const next = old.indexOf('\n## ', begin);
  const end = found < 0 ? begin : next < 0 ? old.length : next + 1;
  writeFileSync(page, `${(old.slice(0, begin) + section + old.slice(end)).trimEnd()}\n`);
  console.log(section);
}

type Section = readonly [title: string, option: string, text: string];

async function measureStarts(outdir: string): Promise<Section> {
  const figures = await measureFunctions(outdir, extents.usual.imports, progress('functions'));
  return ['Functions', 'functions', functionText(figures)];
}

async function measureMemorySection(stage: Stage, outdir: string): Promise<Section> {
  bundleFunctions({ outdir });
  return ['Memory', 'memory', memoryText(await measureMemory(stage, outdir))];
}

/** @param outdir where the bundle is */
async function measureMemory(stage: Stage, outdir: string): Promise<MemoryFigures> {
  return {
    submission: await measureSubmission(stage, outdir),
    attempts: await measureAttempts(stage, outdir),
    receiving: await measureReceiving(stage, outdir, progress('memory')),
  };
}

function removeFolder(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
}

async function measureSection(stage: Stage): Promise<Section> {
  if (values.webhooks) {
    return ['Webhooks', 'webhooks', webhookText(await measureWebhooks(stage, progress('webhooks')))];
  }
  const extent = extents[values.quick ? 'quick' : 'usual'];
  if (values.operations) {
    const operations = await measureOperations(stage, extent.calls, progress('operations'));
    const authentication = await measureAuthentication(stage);
    return ['Operations', 'operations', operationText({ operations, authentication })];
  }
  if (values.load) {
    return ['Load', 'load', loadText(await measureLoad(stage, minuteOfLoad, progress('load')))];
  }
  if (values.pacing) {
    const figures = await measurePacing(stage, extents.usual.held, progress('pacing'));
    return ['Pacing', 'pacing', pacingText(figures)];
  }
  const measured = values.endpoints ? [...chains, ...endpointChains] : chains;
  const figures = await measureChains(stage, measured, extent.chainEmails, progress('chain'));
  if (values.json) writeFileSync(values.json, JSON.stringify(figures, null, 2));
  if (values.than) {
    const before = JSON.parse(readFileSync(values.than, 'utf8')) as ChainFigures[];
    console.log(`${comparisonText(before, figures)}\n`);
  }
  const all = { chains: figures, fixedUse: await measureFixedUse(stage) };
  // A few emails are too few for figures that are quoted.
  if (!values.quick) {
    const day = new Date().toISOString().slice(0, 10);
    writeFileSync(costPage, withFigures(readFileSync(costPage, 'utf8'), all, day));
    keepFigures(all, day);
  }
  return ['Chains', 'chain', chainText(all)];
}

async function measure(stage: Stage, outdir: string): Promise<Measured> {
  const extent = extents[values.quick ? 'quick' : 'usual'];
  // First, since timers that others leave behind would set workers off too.
  const chainFigures = await measureChains(stage, chains, extent.chainEmails, progress('chain'));
  const fixedUse = await measureFixedUse(stage);
  const workers = await measureWorkers(stage, extent.rounds, progress('workers'));
  const operations = await measureOperations(stage, extent.calls, progress('operations'));
  const authentication = await measureAuthentication(stage);
  const functions = await measureFunctions(outdir, extent.imports, progress('functions'));
  progress('latency')(`${extent.latencies} mails`);
  const latency = await measureLatency(stage, extent.latencies);
  const load = values.long ? await measureLoad(stage, minuteOfLoad, progress('load')) : null;
  const memory = values.long ? await measureMemory(stage, outdir) : null;
  const lists = await measureLists(stage, extent.lists, progress('lists'));
  const webhooks = await measureWebhooks(stage, progress('webhooks'));
  const pacing = await measurePacing(stage, extent.held, progress('pacing'));
  return {
    functions,
    operations,
    authentication,
    latency,
    load,
    memory,
    lists,
    workers,
    webhooks,
    pacing,
    chains: { chains: chainFigures, fixedUse },
  };
}

/** One line on the terminal for each step. */
function progress(what: string): (text: string) => void {
  return (text) => console.error(`${(performance.now() / 1000).toFixed(0).padStart(4)} s  ${what}: ${text}`);
}
