/** What a deployment carries, on paper: each ceiling on the way of an email, at AWS's quotas and the loads of the workers. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { workers } from '../../functions/workers.ts';
import { apiShare, workerConcurrency } from '../../lib/constructs/concurrency.ts';
import { slotRate } from '../../lib/core/sending/send-limiter.ts';
import { callMs, executionSeconds, executionsAt } from '../../lib/core/work/worker-load.ts';
import { operationDefaults } from '../../lib/stacks/operation-defaults.ts';
import { table } from '../bench/figures.ts';
import { emptyText } from '../written-text.ts';
import { mailRateOf } from './mail-rate.ts';

export const paperStart = '<!-- Written by npm run limits -- --paper -->';
/** A page that has nothing else. */
export const paperPlace = emptyText(paperStart);

/** The goal: emails sent, and emails received, a second. */
const goal = 1000;
const goalRate = { sent: goal, received: goal };

/** The rows of the README. */
const settings = [10, 100, 500, 1000, 5000, 10_000];
const settingStep = 100;

/** The least `lambdaConcurrency`, in hundreds, that carries the goal in both directions. */
export function settingOfGoal(): number {
  for (let setting = settingStep; ; setting += settingStep) {
    const { sent, received } = mailRateOf(workers, setting);
    if (Math.min(sent, received) >= goal) return setting;
  }
}

/** The table of `lambdaConcurrency`, for the README. */
export function settingsTable(): string {
  const rows = [...settings, settingOfGoal()]
    .sort((a, b) => a - b)
    .map((setting) => {
      const { sent, received } = mailRateOf(workers, setting);
      return [setting, roughly(sent), roughly(received), apiShare(setting).requestCeiling].map(count);
    });
  return table(
    ['`lambdaConcurrency`', 'Emails sent a second', 'and received at the same time', 'Requests in flight'],
    rows,
  );
}

/** Figures of assumptions have no more than two digits. */
function roughly(value: number): number {
  const unit = 10 ** Math.max(0, Math.floor(Math.log10(value)) - 1);
  return Math.floor(value / unit) * unit;
}

const count = (value: number): string => value.toLocaleString('en-US');

/** A ceiling: what the goal takes, and what there is. */
interface Ceiling {
  readonly what: string;
  readonly takes: number;
  readonly has: number;
  /** Where the figure comes from, and what raises it. */
  readonly source: string;
}

/** `POST /emails` (`bench/latest.md`, Operations). */
export const sendRequest = { messages: 1, trips: 3, cpuMs: 11 };
/** Units of an email sent with its reports, and of one received, each with one endpoint, as `npm run bench -- --chain` measured them. */
const units = unitsMeasured();
/** Write units of an email in the partition of its workspace that takes most of them (`bench/latest.md`, Hottest partitions). */
const hottest = { sent: 4, received: 2 };
/** Slots of one write of the limiter. */
const slotsOfBatch = 10;
/** A workspace's request budget by default. */
const workspaceUnits = { perSecond: 50, send: 2 };

function workerCeilings(setting: number): Ceiling[] {
  const { maximumOf, streamShards } = workerConcurrency(workers, setting);
  return workers.flatMap((worker) => {
    const { load, memoryMb, trigger } = worker;
    if (!load || !('execution' in load)) return [];
    const seconds = executionSeconds(load.execution, memoryMb);
    return {
      what: `executions of \`${worker.id}\``,
      takes: executionsAt(load, memoryMb, goalRate),
      has: maximumOf(worker),
      source: [
        `${(seconds * 1000).toFixed(0)} ms for ${load.execution.messages === 1 ? 'a message' : `${load.execution.messages} messages`}`,
        trigger.kind === 'queue'
          ? '`MaximumConcurrency`'
          : `${maximumOf(worker) / streamShards} batches of each of ${streamShards} shards of the stream`,
      ].join('; '),
    };
  });
}

function apiCeilings(setting: number): Ceiling[] {
  const share = apiShare(setting);
  const seconds = executionSeconds(sendRequest, operationDefaults.memoryMb);
  return [
    {
      what: 'requests of the gateway a second',
      takes: goal,
      has: share.requestsPerSecond,
      source: '"Amazon API Gateway quotas"; ten for each execution',
    },
    {
      what: 'executions of `POST /emails`',
      takes: goal * seconds,
      has: share.requestCeiling,
      source: `${(seconds * 1000).toFixed(0)} ms a request; \`requestCeiling\``,
    },
  ];
}

/** Of one region, and of the table. */
const quotaCeilings: readonly Ceiling[] = [
  {
    what: 'writes of the limiter of a region a second',
    takes: goal / slotsOfBatch,
    has: 1000,
    source:
      '1,000 write units of a partition ("Quotas in Amazon DynamoDB"); a write takes slots for ten emails',
  },
  {
    what: 'messages of the queue `outgoing` a second',
    takes: goal,
    has: 3000,
    source:
      'what a FIFO queue takes in batches even without its high throughput mode, which is on ("Amazon SQS message quotas")',
  },
  {
    what: 'objects of `inbound/` a second',
    takes: goal,
    has: 3500,
    source:
      '"Best practices design patterns: optimizing Amazon S3 performance"; a prefix that is busy is split',
  },
  {
    what: 'write units of the table a second',
    takes: goal * (units.writes.sent + units.writes.received),
    has: 40_000,
    source:
      'quota of a table, raised in Service Quotas ("Quotas in Amazon DynamoDB"); a new table has 4,000 and grows with its load, or has warm throughput set',
  },
  {
    what: 'read units of the table a second',
    takes: goal * (units.reads.sent + units.reads.received),
    has: 40_000,
    source: 'the same; a new table has 12,000',
  },
  {
    what: 'notifications of SNS a second, us-east-1',
    takes: 3 * goal,
    has: 30_000,
    source:
      'two of an email sent, one of an email received; quota of the region, raised in Service Quotas ("Amazon Simple Notification Service endpoints and quotas"): whether what SES publishes counts, AWS does not say',
  },
  {
    what: 'the same, eu-west-1 and us-west-2',
    takes: 3 * goal,
    has: 9000,
    source: '',
  },
  {
    what: 'the same, eu-central-1 and seven others',
    takes: 3 * goal,
    has: 1500,
    source: '',
  },
  { what: 'the same, all other regions', takes: 3 * goal, has: 300, source: '' },
];

/** The section of `bench/limits.md`. */
export function paperSection(): string {
  const setting = settingOfGoal();
  const ceilings = [...apiCeilings(setting), ...workerCeilings(setting), ...quotaCeilings];
  const rows = ceilings.map(({ what, takes, has, source }) => [
    what,
    count(Math.ceil(takes)),
    count(has),
    count(Math.floor((goal * has) / takes)),
    source,
  ]);
  return `What ${count(goal)} emails sent and ${count(goal)} received a second take, each with one endpoint, and what there is with \`lambdaConcurrency\` ${count(setting)}. Durations are those of AWS on the safe
side: ${callMs.trip} ms for a call of the table, ${callMs.s3} of S3, ${callMs.sqs} of SQS, ${callMs.ses} of SES, and the processor time that this repo measures, at the memory of the function (\`lib/core/work/worker-load.ts\`).

${table(['Ceiling', 'takes', 'has', 'emails a second', ''], rows)}

A source of SQS begins with 5 executions and adds 300 a minute ("Configuring scaling behavior for SQS event source mappings"): ${minutes(setting)} minutes until all of them run.
SES needs a maximum send rate of ${count(rateFor(goal))} recipients a second: slots leave a tenth of it free. KMS decrypts the secrets of a workspace once in each execution environment
that meets it, so that its quota does not matter.

One workspace has ceilings of its own: ${count(Math.floor(workspaceUnits.perSecond / workspaceUnits.send))} sends a second by its default request budget, ${count(Math.floor(1000 / hottest.sent))} sent and ${count(1000 / hottest.received)} received a second by its busiest
partition. While emails wait for the rate of SES, a lane sends about ${count(Math.floor(laneRate()))} a second, since it is released batch by batch; a workspace has
a lane for every 90 emails a second of that rate. [Scaling](../docs/scaling.md) has larger loads.`;
}

/** An email to one endpoint is between one to none and one to two. */
function unitsMeasured() {
  const { chains } = JSON.parse(readFileSync(join(import.meta.dirname, '../../bench/chains.json'), 'utf8'));
  const unitsOf = (unit: 'writeUnit' | 'readUnit') => ({
    sent: (chains.send.usage[unit] + chains['send-two'].usage[unit]) / 2,
    received: chains.receive.usage[unit],
  });
  return { writes: unitsOf('writeUnit'), reads: unitsOf('readUnit') };
}

function minutes(setting: number): string {
  const { maximumOf } = workerConcurrency(workers, setting);
  const most = Math.max(...workers.filter(({ trigger }) => trigger.kind === 'queue').map(maximumOf));
  return ((most - 5) / 300).toFixed(1);
}

/** The account's rate at which slots come as fast as `sends`. */
export function rateFor(sends: number): number {
  let rate = sends;
  while (slotRate(rate) < sends) rate += 1;
  return rate;
}

/** Emails of one lane a second: one batch of it is in flight at a time. */
export function laneRate(): number {
  const release = workers.find(({ id }) => id === 'release-mail');
  if (!release?.load || !('execution' in release.load)) throw new Error('release-mail has no load');
  const { execution } = release.load;
  return execution.messages / executionSeconds(execution, release.memoryMb);
}
