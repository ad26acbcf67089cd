/** The tables of `docs/scaling.md`: what each part takes of four loads, what it has, and where it stops. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { workers } from '../../functions/workers.ts';
import { apiShare, executionsOf, workerConcurrency } from '../../lib/constructs/concurrency.ts';
import { warmThroughput } from '../../lib/constructs/prewarm.ts';
import { budgetUnits } from '../../lib/core/access/access.ts';
import { countedOneOf, defaultBudget } from '../../lib/core/access/request-budget.ts';
import { lanesAt, slotRate } from '../../lib/core/sending/send-limiter.ts';
import { defaultCaps } from '../../lib/core/sending/sending-guard.ts';
import type { WorkerContract } from '../../lib/core/work/worker.ts';
import { executionSeconds, type MailRate } from '../../lib/core/work/worker-load.ts';
import { operationDefaults } from '../../lib/stacks/operation-defaults.ts';
import { spreadPartitions } from '../../lib/storage/table/keys.ts';
import { shown, table } from '../bench/figures.ts';
import { readyFunctionsCost } from '../bench/settings-cost.ts';
import { type LanesOutcome, simulateLanes } from './lanes.ts';
import { laneRate, rateFor, sendRequest, settingOfGoal } from './paper.ts';
import { type SetupLoad, simulateSetups } from './setups.ts';

export const scalingStart = (load: keyof typeof scalingTables): string =>
  `<!-- ${load}, written by npm run limits -- --paper -->`;

const bench = (name: string) => readFileSync(join(import.meta.dirname, '../../bench', name), 'utf8');

/** A part of the deployment. `takes` and `has` are in the same unit, a second where nothing else is said. */
interface Part {
  readonly what: string;
  readonly takes: number;
  readonly has: number;
  /** The setting or quota that moves it. */
  readonly moves: string;
  /** Title of the page of AWS, or the file. */
  readonly source: string;
}

const count = (value: number): string => Math.floor(value).toLocaleString('en-US');

function partsTable(load: number, unit: string, parts: readonly Part[]): string {
  return table(
    ['Part', 'Takes', 'Has', `Stops at, ${unit}`, 'What moves it', 'Source'],
    parts.map(({ what, takes, has, moves, source }) => {
      const stops = count((load * has) / takes);
      return [what, count(Math.ceil(takes)), count(has), has < takes ? `**${stops}**` : stops, moves, source];
    }),
  );
}

const sources = {
  table: '"Quotas in Amazon DynamoDB"',
  partition: '"Best practices for designing and using partition keys effectively"',
  warm: '"Understanding DynamoDB warm throughput in different scenarios"',
  queue: '"Configuring scaling behavior for SQS event source mappings"',
  pollers: '"Using Lambda with Amazon SQS", provisioned mode',
  sns: '"Amazon Simple Notification Service endpoints and quotas"',
  gateway: '"Amazon API Gateway quotas"',
} as const;

interface Units {
  readonly writeUnit: number;
  readonly readUnit: number;
}

function unitsOf(chain: 'send' | 'send-two' | 'receive'): Units {
  return JSON.parse(bench('chains.json')).chains[chain].usage;
}

function tableParts({ writeUnit, readUnit }: Units, load: number): Part[] {
  const [writes, reads] = [writeUnit * load, readUnit * load];
  const quota = 'Service Quotas, Amazon DynamoDB, throughput of a table';
  return [
    { what: 'write units of the table', takes: writes, has: 40_000, moves: quota, source: sources.table },
    { what: 'read units of the table', takes: reads, has: 40_000, moves: quota, source: sources.table },
    {
      what: 'write units of a new table at once',
      takes: writes,
      has: 4000,
      moves: '`prewarmEmailsPerSecond`, or half an hour for each doubling',
      source: sources.warm,
    },
  ];
}

const partitionMoves: Readonly<Record<string, string>> = {
  'W#*#E': '`spreadWorkspaces`, or another workspace',
  'W#*#T': '`spreadWorkspaces`, or another workspace',
  'W#*#EVENTS': '`spreadWorkspaces`, `workspace event-log --state off`, or another workspace',
  'W#*#EP#*#STATE': 'deliveries of one batch share it; another endpoint',
  'W#*#ENDPOINTS': 'events of one batch share it',
};

/** Partitions of one workspace that get most units of an email, from the page of `npm run bench -- --chain`. */
function partitionParts(chain: string, kind: 'write' | 'read', load: number): Part[] {
  const line = bench('latest.md')
    .split('\n')
    .find((one) => one.startsWith(`| ${chain} | ${kind} | table`));
  const found = [...(line ?? '').matchAll(/table `([^`]+)` (?:\* )?(?:\| )?([\d.]+)/g)];
  if (found.length === 0) throw new Error(`bench/latest.md has no hottest partitions of ${chain}`);
  const byKey = new Map(found.map(([, key = '', units]) => [key, Number(units)]));
  return [...byKey].map(([key, units]) => ({
    what: `${kind} units of partition \`${key}\``,
    takes: units * load,
    has: kind === 'write' ? 1000 : 3000,
    moves: partitionMoves[key] ?? 'another workspace',
    source: sources.partition,
  }));
}

/** Executions of the source of a worker, as the workers share them at a setting. @param load its work */
function queuePart(worker: WorkerContract, rate: MailRate, setting: number, load = worker): Part {
  const { maximumOf, pollersOf } = workerConcurrency(workers, setting);
  const pollers = pollersOf(worker);
  return {
    what: `executions of \`${worker.id}\`${pollers ? `, ${count(pollers.maximum)} pollers` : ''}`,
    takes: executionsOf(load, rate, pollers !== null),
    has: maximumOf(worker),
    moves: '`lambdaConcurrency` and its quota',
    source: pollers ? sources.pollers : sources.queue,
  };
}

/** Write units of an email in partitions of the table, from the calls of a chain on the same page. */
function writeUnits(chain: string): (partition: string) => number {
  const [, calls = ''] = bench('latest.md').split(`\n**${chain}**\n\n| Function | Call |`);
  const rows = calls.split('\n**')[0]?.matchAll(/\| table \| `(\S+)[^|]*\|[^|]*\| ([\d.]+) \|/g) ?? [];
  const units = new Map<string, number>();
  for (const [, partition = '', used] of rows)
    units.set(partition, (units.get(partition) ?? 0) + Number(used));
  if (units.size === 0) throw new Error(`bench/latest.md has no calls of ${chain}`);
  return (partition) => units.get(partition) ?? 0;
}

/** Lists of a workspace that get units of each email. An endpoint of the two that the sends have takes half. */
const workspaceLists = [
  { what: 'emails', key: 'W#*#E', isSpread: true },
  { what: 'threads', key: 'W#*#T', isSpread: true },
  { what: 'events', key: 'W#*#EVENTS', isSpread: true },
  { what: 'deliveries of an endpoint', key: 'W#*#EP#*', isSpread: true },
  { what: 'activity of read threads', key: 'W#*#A', isSpread: false },
  { what: 'activity of unread threads', key: 'W#*#UNREAD#A', isSpread: false },
] as const;

/** Where each list of a workspace stops, in one partition and spread. */
function spreadLists(): string {
  const sent = writeUnits('send + delivery report, two endpoints, event log on');
  const received = writeUnits('receive, one endpoint, event log on');
  const stops = (units: number, partitions: number) => {
    const perSecond = (1000 * partitions) / units;
    if (units === 0) return '–';
    return perSecond < sendsGoal ? `**${count(perSecond)}**` : count(perSecond);
  };
  const rows = workspaceLists.map(({ what, key, isSpread }) => {
    const endpoints = key === 'W#*#EP#*' ? 2 : 1;
    const partitions = isSpread ? spreadPartitions : 1;
    const cells = [sent(key) / endpoints, received(key)].flatMap((units) => [
      shown(units),
      stops(units, 1),
      stops(units, partitions),
    ]);
    return [what, `\`${key}\``, ...cells];
  });
  const directions = ['sent', 'received'].flatMap((one) => [
    `Write units, ${one}`,
    `Emails a second, ${one}`,
    'spread',
  ]);
  return table(['List', 'Partition', ...directions], rows);
}

function executionParts(rate: MailRate, setting: number): Part[] {
  const { maximumOf } = workerConcurrency(workers, setting);
  return workers.flatMap((worker): Part[] => {
    const takes = executionsOf(worker, rate);
    if (takes === 0 || !worker.load || !('execution' in worker.load)) return [];
    if (worker.trigger.kind === 'queue') return [queuePart(worker, rate, setting)];
    return [
      {
        what: `executions of \`${worker.id}\``,
        takes,
        has: maximumOf(worker),
        moves: '`lambdaConcurrency` and its quota',
        source: '`lib/constructs/concurrency.ts`',
      },
    ];
  });
}

function notificationParts(perEmail: number, load: number): Part[] {
  const moves = 'Service Quotas, "Messages published per second"';
  return (
    [
      ['us-east-1', 30_000],
      ['eu-west-1', 9000],
      ['eu-central-1', 1500],
      ['most other regions', 300],
    ] as const
  ).map(([region, has]) => ({
    what: `notifications of SNS in ${region}`,
    takes: perEmail * load,
    has,
    moves,
    source: sources.sns,
  }));
}

const sendsGoal = 1000;

/** The budget that the page tells to set. */
export const sendsBudget = { unitsPerSecond: 2000, capacity: 20_000, inFlight: 1000 };

function sendsOfOneWorkspace(): string {
  const setting = settingOfGoal();
  const chain = 'send + delivery report, two endpoints, event log on';
  const requestSeconds = executionSeconds(sendRequest, operationDefaults.memoryMb);
  const rate = rateFor(sendsGoal);
  const { requestCeiling, requestsPerSecond } = apiShare(setting);
  return partsTable(sendsGoal, 'emails', [
    {
      what: 'units of the request budget',
      takes: sendsGoal * budgetUnits.send,
      has: defaultBudget.unitsPerSecond,
      moves: '`workspace limits --units-per-second --capacity --in-flight`',
      source: '[request budget](concepts/request-budget.md)',
    },
    {
      what: 'recipients an hour',
      takes: sendsGoal * 3600,
      has: defaultCaps.perHour,
      moves: '`workspace limits --recipients-per-hour --recipients-per-day`',
      source: '[limits of sending](concepts/sending-limits.md)',
    },
    {
      what: 'recipients that SES takes, in the sandbox',
      takes: rate,
      has: 1,
      moves: 'SES, "Sending limit increase"',
      source: '"Increasing your Amazon SES sending quotas"',
    },
    {
      what: 'requests of the gateway',
      takes: sendsGoal,
      has: requestsPerSecond,
      moves: '`lambdaConcurrency`; Service Quotas above 10,000',
      source: sources.gateway,
    },
    {
      what: 'executions of `POST /emails`',
      takes: sendsGoal * requestSeconds,
      has: requestCeiling,
      moves: '`lambdaConcurrency` and its quota, `requestCeiling`',
      source: '`lib/constructs/concurrency.ts`',
    },
    ...executionParts({ sent: sendsGoal, received: 0 }, setting),
    {
      what: `emails of ${lanesAt(slotRate(rate))} lanes, where emails wait for slots`,
      takes: sendsGoal,
      has: Math.floor(laneRate()) * lanesAt(slotRate(rate)),
      moves: 'the sending rate of SES: a lane for every 90',
      source: '[decision 87](decisions/0087-growth.md)',
    },
    {
      what: 'writes of the budget, one request of eight',
      takes: (sendsGoal * 2) / countedOneOf(sendsBudget),
      has: 1000,
      moves: 'limits of its own from 500 units a second on',
      source: sources.partition,
    },
    {
      what: 'writes of the caps on recipients',
      takes: sendsGoal,
      has: 1000,
      moves: 'another workspace',
      source: sources.partition,
    },
    {
      what: 'writes of the limiter `LIMITER#*`, ten emails each',
      takes: sendsGoal / 10,
      has: 1000,
      moves: 'another mail region',
      source: sources.partition,
    },
    ...partitionParts(chain, 'write', sendsGoal),
    ...partitionParts(chain, 'read', sendsGoal),
    ...tableParts(unitsOf('send-two'), sendsGoal),
    ...notificationParts(2, sendsGoal),
  ]);
}

const setups: SetupLoad = { domains: 10_000, senders: 500, pauseMs: 1100, sesMs: 180_000 };

/** Domains that are verified at once, of which some send within the first hour, with the order of turns and without. */
async function setupsOfWorkspaces(): Promise<string> {
  const runs = [
    ['in order of the messages, as before', setups, false],
    ['by who sends first', setups, true],
    ['by who sends first, and all send within the hour', { ...setups, senders: setups.domains }, true],
  ] as const;
  const rows = await Promise.all(
    runs.map(async ([what, load, isOrdered]) => {
      const { calls, lastHours, medianMinutes, longestMinutes } = await simulateSetups(load, isOrdered);
      return [
        what,
        count(load.senders),
        count(calls),
        shown(lastHours),
        shown(medianMinutes),
        shown(longestMinutes),
      ];
    }),
  );
  return table(
    [
      'Set-up of 10,000 domains',
      'Of them send',
      'SES calls',
      'Last one after, h',
      'Median wait of mail, min',
      'Longest, min',
    ],
    rows,
  );
}

/** A backlog of one workspace, in one lane and in those that it has. */
function backlogs(): string {
  const rows = [70, 180, 900].flatMap((ratePerSecond) =>
    [...new Set([1, lanesAt(ratePerSecond)])].map((lanes) => {
      const outcomes = [60, 99].map((batchMs) =>
        simulateLanes({ ratePerSecond, emails: 100_000, batchMs }, lanes),
      );
      const both = (of: (outcome: LanesOutcome) => number) =>
        outcomes.map((one) => shown(of(one))).join(' / ');
      return [
        count(ratePerSecond),
        count(lanes),
        both((one) => one.perSecond),
        both((one) => one.disorderSeconds),
      ];
    }),
  );
  return table(
    [
      'Slots a second',
      'Lanes',
      'Emails a second, at 60 / 99 ms',
      'Out of order by at most, s, at 60 / 99 ms',
    ],
    rows,
  );
}

const receivedGoal = 10_000;

function receivedMails(): string {
  const chain = 'receive, one endpoint, event log on';
  const setting = 70_000;
  return partsTable(receivedGoal, 'emails', [
    {
      what: 'objects of `inbound/`',
      takes: receivedGoal,
      has: 3500,
      moves: 'S3 splits a prefix that stays busy; the keys are random',
      source: '"Best practices design patterns: optimizing Amazon S3 performance"',
    },
    ...notificationParts(1, receivedGoal),
    ...executionParts({ sent: 0, received: receivedGoal }, setting),
    ...tableParts(unitsOf('receive'), receivedGoal),
    ...partitionParts(chain, 'write', receivedGoal).map((part) => ({
      ...part,
      what: `${part.what}, all to one workspace`,
    })),
  ]);
}

const webhooksGoal = 1_000_000 / 60;

/** The worker of deliveries; with `receiverMs`: as if each email had one, whose receiver answers in that time. */
function deliverer(receiverMs?: number): WorkerContract {
  const worker = workers.find(({ id }) => id === 'deliver-webhook');
  if (!worker?.load || !('execution' in worker.load)) throw new Error('deliver-webhook has no load');
  if (receiverMs === undefined) return worker;
  return { ...worker, load: { perSent: 1, execution: { ...worker.load.execution, receiverMs } } };
}

function webhooks(): string {
  const [one, two] = [unitsOf('send'), unitsOf('send-two')];
  // Two events of an email, each to two endpoints.
  const ofDelivery = {
    writeUnit: (two.writeUnit - one.writeUnit) / 4,
    readUnit: (two.readUnit - one.readUnit) / 4,
  };
  const rate = { sent: webhooksGoal, received: 0 };
  return partsTable(1_000_000, 'webhooks a minute', [
    ...(
      [
        [150, 12_000],
        [600, 12_000],
        [600, 35_000],
      ] as const
    ).map(([receiverMs, setting]) => {
      const part = queuePart(deliverer(), rate, setting, deliverer(receiverMs));
      const where = `${receiverMs} ms for a batch's receivers, \`lambdaConcurrency\` ${count(setting)}`;
      return { ...part, what: `${part.what}, ${where}` };
    }),
    ...tableParts(ofDelivery, webhooksGoal),
    {
      what: "write units of an endpoint's state, all to one endpoint, in batches of ten",
      takes: (webhooksGoal * 2) / 10,
      has: 1000,
      moves: 'another endpoint',
      source: sources.partition,
    },
    {
      what: "write units of an endpoint's deliveries, all to one endpoint",
      takes: webhooksGoal,
      has: 1000,
      moves: 'another endpoint',
      source: sources.partition,
    },
    {
      what: 'messages of `deliveries` in flight',
      takes: 10 * executionsOf(deliverer(150), rate),
      has: 120_000,
      moves: 'nothing',
      source: '"Amazon SQS message quotas"',
    },
  ]);
}

/** What the prewarm settings ask AWS for. */
function prewarm(): string {
  const throughput = [100, 500, 1000].map((emails) => {
    const [ofTable, ofIndex] = [warmThroughput('table', emails), warmThroughput('index', emails)];
    const units = (of: typeof ofTable) =>
      `${count(of?.writeUnitsPerSecond ?? 0)} write and ${count(of?.readUnitsPerSecond ?? 0)} read units a second`;
    return [
      `\`prewarmEmailsPerSecond\` ${count(emails)}`,
      `table: ${units(ofTable)}; each index: ${units(ofIndex)}`,
      'once',
    ];
  });
  const ready = [10, 50].map((functions) => {
    const dollars = readyFunctionsCost(functions);
    const requests = functions / executionSeconds(sendRequest, operationDefaults.memoryMb);
    return [
      `\`prewarmSendFunctions\` ${functions}`,
      `${functions} execution environments of \`POST /emails\`: ${count(requests)} requests a second without a cold start`,
      `$${dollars.toFixed(0)} a month`,
    ];
  });
  return table(['Setting', 'What AWS keeps ready', 'Paid'], [...throughput, ...ready]);
}

/** The tables by the name of their load. */
export const scalingTables = {
  'Sends of one workspace': async () => sendsOfOneWorkspace(),
  'Spread lists': async () => spreadLists(),
  Backlogs: async () => backlogs(),
  'Set-ups': setupsOfWorkspaces,
  'Received mail': async () => receivedMails(),
  Webhooks: async () => webhooks(),
  Prewarming: async () => prewarm(),
} as const;

export const scalingLoads = Object.keys(scalingTables) as (keyof typeof scalingTables)[];
