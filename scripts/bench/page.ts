/** The page that the bench writes: targets first, then every figure. */

import { availableParallelism } from 'node:os';
import { deliverWebhookWorker } from '../../functions/workers/deliver-webhook.contract.ts';
import { extractTextWorker } from '../../functions/workers/extract-text.contract.ts';
import { receiveMailWorker } from '../../functions/workers/receive-mail.contract.ts';
import { sendMailWorker } from '../../functions/workers/send-mail.contract.ts';
import { drainTable } from '../pacing/drain.ts';
import { bundleKilobytesMax, receivingFunctions } from './bundle-bounds.ts';
import { type ChainsMeasured, chainText } from './chain-page.ts';
import { shown, table } from './figures.ts';
import { messageMegabytes } from './large-mail.ts';
import type { AttemptFigures } from './measure-attempts.ts';
import type { FunctionFigures } from './measure-functions.ts';
import type { ListFigures } from './measure-lists.ts';
import type { Latency, Load } from './measure-mail-in.ts';
import type { OperationFigures } from './measure-operations.ts';
import type { PacingFigures } from './measure-pacing.ts';
import type { ReceivingFigures } from './measure-receiving.ts';
import type { SubmissionFigures } from './measure-submission.ts';
import type { WebhookFigures } from './measure-webhooks.ts';
import type { WorkerFigures } from './measure-workers.ts';

import { otherServices, type Profile } from './observe.ts';
import { ceilingOf } from './partitions.ts';
import { runs } from './peak.ts';

export interface Measured {
  readonly operations: readonly OperationFigures[];
  readonly authentication: Profile;
  readonly workers: readonly WorkerFigures[];
  readonly functions: readonly FunctionFigures[];
  readonly lists: readonly ListFigures[];
  readonly latency: Latency;
  /** null: not measured this time. */
  readonly load: Load | null;
  readonly memory: MemoryFigures | null;

  readonly webhooks: WebhookFigures;
  readonly pacing: PacingFigures;
  readonly chains: ChainsMeasured;
}

/** Memory of the functions that handle large content. */
export interface MemoryFigures {
  readonly submission: SubmissionFigures;
  readonly attempts: AttemptFigures;
  readonly receiving: ReceivingFigures;
}

export function pageOf(measured: Measured, run: { at: Date; command: string }): string {
  return `# Measured

Written by \`${run.command}\` on ${run.at.toISOString().slice(0, 16).replace('T', ' ')} UTC with Node ${process.versions.node} on ${availableParallelism()} cores. Everything runs
on one machine: clients, functions, emulated services and the table engine. Times are to be compared with each other; round trips,
units and calls are what AWS would see.

## Targets

Those of operations are [below](#operations).

${targetTable(targetsOf(measured))}

## Operations

${operationText(measured)}

## Workers

One invocation with one message, at rest.

${table(
  ['Worker', 'Invocations', 'Trips', 'RU', 'WU', ...otherServices, 'CPU ms', 'p50 ms'],
  measured.workers.map((one) => [`\`${one.id}\``, String(one.invocations), ...cost(one), shown(one.p50)]),
)}

## Lists

The first page of \`GET /emails\`, in workspaces of different sizes.

${listTable(measured.lists)}

## Mail coming in

${mailIn(measured)}

## Webhooks

${webhookText(measured.webhooks)}

## Memory

${measured.memory ? memoryText(measured.memory) : 'Not measured (`--long`).'}

## Pacing

${pacingText(measured.pacing)}

## Chains

${chainText(measured.chains)}

## Functions

${functionText(measured.functions)}
`;
}

/** The section of the page about operations, with their targets. */
export function operationText({
  operations,
  authentication,
}: Pick<Measured, 'operations' | 'authentication'>): string {
  const send = operations.find(({ id }) => id === 'emails.send');
  const read = operations.find(({ id }) => id === 'emails.retrieve');
  const targets = [
    target('Authentication', 1, 'round trip', authentication.roundTrips),
    target('Read by id, in all', 2, 'round trips', read?.roundTrips),
    target(sendOf5Kb, 5, 'round trips', send?.roundTrips),
    target(sendOf5Kb, 0, 'calls of S3', send?.calls.s3),
    target(sendOf5Kb, 14, 'write units', send?.writeUnits),
    target(sendOf5Kb, 15, 'ms CPU', send?.cpuMs),
  ];
  return `${targetTable(targets)}

One call at rest, warm. *Trips*: sequential DynamoDB round trips, the longest chain of calls that do not overlap. *RU*, *WU*: read and write units
(\`ReturnConsumedCapacity\`). *CPU*: of the function's thread. Medians; times are the client's, in milliseconds,
and of few calls p99 is simply the slowest. *Hottest*: the partition that gets the most write units of a call, and the calls a second at which it is full.

${table(
  [
    'Operation',
    'Trips',
    'RU',
    'WU',
    ...otherServices,
    'CPU ms',
    'p50 ms',
    'p99 ms',
    'Hottest',
    'WU',
    'a second',
  ],
  [
    ['authentication alone', ...cost(authentication), '–', '–', ...hottest(authentication)],
    ...operations.map((one) => [
      `\`${one.id}\``,
      ...cost(one),
      shown(one.p50),
      shown(one.p99),
      ...hottest(one),
    ]),
  ],
)}`;
}

const sendOf5Kb = 'Send of 5 KB to one recipient';

export function functionText(functions: readonly FunctionFigures[]): string {
  const [{ helloCpuMs = Number.NaN } = {}] = functions;
  return `What a cold start loads, and how long a fresh Node takes to import it. *CPU*: processor time of the whole process until the handler is loaded; a
handler that imports nothing takes ${shown(helloCpuMs)} ms, and *of hello* is the ratio. Lower quartiles. *At its memory*: the same with the share of a processor that Lambda gives the
function, a whole one at ${wholeProcessorMb} MB ("Configure Lambda function memory", AWS Lambda Developer Guide).

${table(
  ['Function', 'KB', 'Import ms', 'CPU ms', 'of hello', 'Memory MB', 'At its memory ms'],
  functions.map(({ name, kilobytes, importMs, startCpuMs, memoryMb }) => [
    `\`${name}\``,
    shown(kilobytes),
    shown(importMs),
    shown(startCpuMs),
    (startCpuMs / helloCpuMs).toFixed(1),
    String(memoryMb),
    shown(startCpuMs * Math.max(1, wholeProcessorMb / memoryMb)),
  ]),
)}`;
}

/** Memory at which Lambda gives a function one whole processor. */
const wholeProcessorMb = 1769;

function cost(of: Profile): string[] {
  const { roundTrips, readUnits, writeUnits, calls, cpuMs } = of;
  return [roundTrips, readUnits, writeUnits, ...otherServices.map((name) => calls[name]), cpuMs].map(shown);
}

function hottest({ hottest: partition }: Profile): string[] {
  if (!partition) return ['–', '–', '–'];
  const { place, key, units } = partition;
  return [`${place} \`${key}\``, shown(units), shown(ceilingOf(partition, 'writes'))];
}

/** A figure that is to stay at or below a bound; null where it was not measured. */
interface Target {
  readonly what: string;
  readonly bound: number;
  readonly unit: string;
  readonly found: number | null;
}

function targetsOf(measured: Measured): Target[] {
  const largest = (isMeant: (one: FunctionFigures) => boolean) =>
    Math.max(...measured.functions.filter(isMeant).map(({ kilobytes }) => kilobytes));
  const isReceiving = ({ name }: FunctionFigures) => receivingFunctions.has(name);
  const { load, lists } = measured;
  const pages = lists.filter(({ query }) => /^limit=/.test(query)).flatMap(({ sizes }) => [sizes]);
  const growth = pages.map((sizes) => (sizes.at(-1)?.readUnits ?? 0) / (sizes[0]?.readUnits ?? 1));
  return [
    target('A page of the larger list, beside the smaller', 1, 'times the read units', Math.max(...growth)),
    target('SMTP accepted to webhook posted, p50', 500, 'ms', measured.latency.p50),
    target('50 mails a second for a minute: lost', 0, 'mails', load && load.accepted - load.posted),
    target('50 mails a second for a minute: deepest queue', 500, 'messages', load?.deepest.messages),
    target(
      '50 mails a second for a minute: last webhook after the first mail',
      // 40 a second.
      75,
      's',
      load && load.posted / load.handledPerSecond,
    ),
    target(
      '50 mails a second for a minute: functions, for a mail',
      15,
      'ms CPU',
      load && inFunctions(load, 'cpuMs'),
    ),
    target(
      'Function of an operation that reads',
      bundleKilobytesMax.reading,
      'KB',
      largest(({ isReading }) => isReading),
    ),
    target('Function that receives mail', bundleKilobytesMax.receiving, 'KB', largest(isReceiving)),
    target(
      'Any other function',
      bundleKilobytesMax.other,
      'KB',
      largest((one) => !one.isReading && !isReceiving(one)),
    ),
  ];
}

function target(what: string, bound: number, unit: string, found: number | null | undefined): Target {
  return { what, bound, unit, found: found ?? null };
}

function targetTable(targets: readonly Target[]): string {
  return table(
    ['What', 'At most', 'Found', 'Reached'],
    targets.map(({ what, bound, unit, found }) => [
      what,
      `${bound} ${unit}`,
      shown(found),
      found === null ? 'not measured (`--long`)' : found <= bound ? 'yes' : '**no**',
    ]),
  );
}

function listTable(lists: readonly ListFigures[]): string {
  const sizes = lists[0]?.sizes ?? [];
  return table(
    ['Query', ...sizes.flatMap(({ emails }) => [`Shown of ${emails}`, 'RU', 'p50 ms'])],
    lists.map(({ query, sizes }) => [
      `\`${query}\``,
      ...sizes.flatMap(({ shown: count, readUnits, p50 }) => [count, readUnits, p50].map(shown)),
    ]),
  );
}

function mailIn({ latency, load }: Measured): string {
  return [
    `From accepted at the SMTP port to the webhook posted, at rest, ${latency.mails} mails: p50 ${shown(latency.p50)} ms, p99 ${shown(latency.p99)} ms.`,
    ...(load ? [loadText(load)] : []),
  ].join('\n\n');
}

/** What all functions do for one mail. */
function inFunctions({ functions }: Load, figure: 'calls' | 'cpuMs'): number {
  return functions.reduce((sum, one) => sum + one[figure], 0);
}

export function loadText(load: Load): string {
  const functions = load.functions.map(({ name, invocations, calls, cpuMs }) => [
    `\`${name}\``,
    ...[invocations, calls, cpuMs].map((figure) => figure.toFixed(2)),
  ]);
  return (
    `${load.perSecond} mails a second for ${load.seconds} s, event log off: ${load.accepted} accepted, ${load.posted} webhooks posted, ` +
    `p50 ${shown(load.p50)} ms; most messages in one queue ${load.deepest.messages} (${load.deepest.queue}); ` +
    `the last webhook ${load.drainSeconds.toFixed(1)} s after the last mail, ${load.handledPerSecond.toFixed(1)} mails a second from ` +
    `first to last. A mail takes ${inFunctions(load, 'calls').toFixed(1)} calls of AWS and ${shown(inFunctions(load, 'cpuMs'))} ms of CPU in the functions, ${shown(load.processCpuMs)} ms with the emulated services, and ` +
    `what the table engine takes beside that: the machine's cores bound the rate here, where in AWS each function has its own.\n\n` +
    table(['Function, for a mail', 'Invocations', 'Calls', 'CPU ms'], functions)
  );
}

/** The section of the page about the memory of functions, with its targets. */
export function memoryText({
  submission,
  attempts,
  receiving: { received, prepared },
}: MemoryFigures): string {
  const ofReceived = Math.max(...received.map(({ peakMegabytes }) => peakMegabytes));
  const unit = 'MB of memory';
  const targets = [
    target('`send-mail`', sendMailWorker.memoryMb, unit, submission.peakMegabytes),
    target('`deliver-webhook`', deliverWebhookWorker.memoryMb, unit, attempts.peakMegabytes),
    target('`receive-mail`', receiveMailWorker.memoryMb, unit, ofReceived),
    target('`extract-text`', extractTextWorker.memoryMb, unit, prepared.peakMegabytes),
  ];
  const idle = Math.max(submission.idleMegabytes, ...received.map(({ idleMegabytes }) => idleMegabytes));
  const rows = received.map(({ what, peakMegabytes }) => [what, shown(peakMegabytes)]);
  return [
    targetTable(targets),
    `The largest work of each in a process of its own, the worst of ${runs} runs, with the heap that its memory allows. Before it began, a process had ${shown(idle)} MB.`,
    `\`send-mail\`: ${submission.fileMegabytes} MB to ${submission.recipients} recipients in ${submission.submissions} calls.`,
    `\`deliver-webhook\`: a batch of ${attempts.attempts} attempts with ${attempts.bodyMegabytes.toFixed(1)} MB each, in format v1, at receivers at the same time.`,
    `\`extract-text\`: a table in a message of ${messageMegabytes} MB. \`receive-mail\`: each of these messages, which have that size:`,
    table(['Message', 'MB'], rows),
  ].join('\n\n');
}

/** The section of the page about webhooks. */
export function webhookText({ measured, simulated, writeUnits }: WebhookFigures): string {
  const rows = measured.map((one) => [
    String(one.perSecond),
    String(one.deadEndpoints),
    String(one.events),
    String(one.received),
    shown(one.receivedPerSecond),
    shown(one.p50),
    shown(one.p99),
  ]);
  const virtual = simulated.map((one) => [
    String(one.perSecond),
    String(one.deadEndpoints),
    shown(one.p50),
    shown(one.p99),
  ]);
  return `From the commit of an event to its arrival at one receiver, through stream, relay and \`deliver-webhook\`. The dead endpoints
belong to another workspace, never answer, and get an event each ten seconds: five deliveries a second are stored beside those that are measured.

${table(['Events a second', 'Dead endpoints', 'Events', 'Received', 'Received a second', 'p50 ms', 'p99 ms'], rows)}

Where fewer events are received a second than are committed, the cores of this machine are the limit, and the times are those of a backlog.
On virtual time (\`npm run simulate:webhooks\`), where the dead endpoints get an event a second each, endpoints that answer within 50 to 150 ms have these times from the event to its first
attempt, without stream and relay. One event a second goes to one endpoint, the other rates to 50:

${table(['Events a second', 'Dead endpoints', 'p50 ms', 'p99 ms'], virtual)}

A delivery costs ${shown(writeUnits.first)} write units beside its event when its first attempt succeeds, and ${shown(writeUnits.seventh)} when its seventh does.`;
}

export function pacingText({ held, drains, alone, beside, leavingPerSecond }: PacingFigures): string {
  return `${held.toLocaleString('en-US')} emails held at once, on virtual time ([pacing.md](pacing.md) explains the columns):

${drainTable(drains, held)}

On the local cloud, another workspace sends an email a second, alone and beside a queue from which ${shown(leavingPerSecond)} emails a second leave. From its request to its \`email.sent\`:

${table(
  ['', 'p50 ms', 'p99 ms'],
  [
    ['alone', shown(alone.p50), shown(alone.p99)],
    ['beside the queue', shown(beside.p50), shown(beside.p99)],
  ],
)}`;
}
