/** The page `bench/first-hour.md`. */
import { execFileSync } from 'node:child_process';
import { availableParallelism } from 'node:os';
import type { Install } from './install.ts';
import type { TreeSize } from './process-tree.ts';
import type { StartAndMemory } from './start-and-memory.ts';

/** Targets. */
export const webhookSecondsMax = 180;
/** Of `node_modules`; the libraries of the console are 50 of them. */
export const megabytesMax = 650;

/** Of what a newcomer does in a fresh clone. */
export interface Figures {
  readonly cloneSeconds: number;
  readonly install: Install;
  readonly firstLineSeconds: number;
  readonly readySeconds: number;
  /** Since the beginning of the clone. */
  readonly webhookSeconds: number;
  readonly stopSeconds: number;
}

const seconds = (value: number) => `${value.toFixed(1)} s`;
const megabytes = (value: number) => `${value.toFixed(0)} MB`;
const sizeOf = ({ residentMb, threads }: TreeSize) => `${megabytes(residentMb)}, ${threads} threads`;
const tableOf = (rows: readonly (readonly string[])[]) =>
  rows.map((row) => `| ${row.join(' | ')} |`).join('\n');

export function firstHourPage(figures: Figures, measured: StartAndMemory): string {
  const node = execFileSync('node', ['--version'], { encoding: 'utf8' }).trim().slice(1);
  const date = new Date().toISOString().slice(0, 10);
  return `# The first hour

Written by \`npm run first-hour\` on ${date}, on ${availableParallelism()} cores with Node ${node}; the times hold for this machine.

## To the first webhook

A fresh clone, \`npm ci\` with an empty npm cache, \`npm start\`, and its printed steps pasted into a shell.

| | Measured | Target |
|---|---:|---:|
${tableOf(newcomerRows(figures))}

## Start and memory

Memory and threads are those of \`npm start\` and all that it started, without npm.

| | Measured | Target |
|---|---:|---:|
${tableOf(startRows(measured))}
`;
}

function newcomerRows(figures: Figures): string[][] {
  const { install } = figures;
  return [
    ['clone', seconds(figures.cloneSeconds), ''],
    ['`npm ci`', seconds(install.seconds), ''],
    ['its warnings', String(install.warnings.length), '0'],
    ['`node_modules`', megabytes(install.megabytes), megabytes(megabytesMax)],
    ['`npm start`: first line', seconds(figures.firstLineSeconds), seconds(1)],
    ['ready', seconds(figures.readySeconds), seconds(10)],
    [
      '**from the clone to the first webhook**',
      `**${seconds(figures.webhookSeconds)}**`,
      seconds(webhookSecondsMax),
    ],
    ['Ctrl-C until all has ended', seconds(figures.stopSeconds), seconds(1)],
  ];
}

function startRows(measured: StartAndMemory): string[][] {
  const { burst, endSeconds } = measured;
  return [
    ['ready, nothing built before', seconds(measured.coldSeconds), seconds(10)],
    ['ready, built before', seconds(measured.warmSeconds), seconds(4)],
    ['size when ready', sizeOf(measured.ready), ''],
    ['after every operation and worker has run', sizeOf(measured.everyFunction), megabytes(600)],
    [
      `peak of ${burst.requests} requests at once, of which ${burst.refused} were refused`,
      sizeOf(burst.peak),
      '',
    ],
    ['after them', sizeOf(burst.after), ''],
    ['without requests for 40 s', sizeOf(measured.idle), ''],
    ['Ctrl-C until all has ended', seconds(endSeconds.idle), seconds(1)],
    ['the same while requests run', seconds(endSeconds.busy), seconds(1)],
  ];
}
