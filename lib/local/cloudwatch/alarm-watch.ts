/** Watches the alarms of the templates: gathers the metrics that no emulated service publishes itself, and evaluates the alarms. */
import * as z from 'zod';
import { logGroupOf } from '../aws/logs-api.ts';
import type { Recorder } from '../aws/recorder.ts';
import type { LocalClock } from '../aws/service.ts';
import type { Sqs } from '../aws/sqs.ts';
import type { LogRing } from '../logs.ts';
import type { LocalSes } from '../ses/ses.ts';
import type { Deployment } from '../template.ts';
import { type AlarmState, readAlarm, stateOf } from './alarm.ts';
import { matchesLogPattern } from './log-filter-patterns.ts';
import type { MetricStore } from './metric-store.ts';

export interface AlarmWatch {
  /** Ends a minute: samples the queues and evaluates all alarms. */
  tick(): void;
  /** The state of each alarm, by region and construct id. */
  states(): ReadonlyMap<string, AlarmState>;
}

export interface AlarmWatchOptions {
  readonly deployment: Deployment;
  readonly metrics: MetricStore;
  readonly clock: Pick<LocalClock, 'now'>;
  readonly logs: Pick<LogRing, 'onLine'>;
  readonly recorder: Pick<Recorder, 'subscribe'>;
  readonly ses: Pick<LocalSes, 'observe'>;
  readonly sqs: Pick<Sqs, 'queue' | 'depths'>;
}

export function watchAlarms(options: AlarmWatchOptions): AlarmWatch {
  const { deployment, metrics } = options;
  const alarms = deployment.ofType('AWS::CloudWatch::Alarm').map(readAlarm);
  const states = new Map<string, AlarmState>(alarms.map(({ name }) => [name, 'INSUFFICIENT_DATA']));
  metrics.record();
  watchLogs(options);
  watchThrottling(options);
  const reputation = watchReputation(options);
  const queues = watchQueues(options);
  return {
    tick() {
      queues();
      reputation();
      metrics.endMinute();
      for (const alarm of alarms) {
        states.set(alarm.name, stateOf(alarm, metrics, states.get(alarm.name) ?? 'OK'));
      }
    },
    states: () => states,
  };
}

const metricFilter = z.object({
  LogGroupName: z.string(),
  FilterPattern: z.string(),
  MetricTransformations: z.tuple([
    z.object({ MetricNamespace: z.string(), MetricName: z.string(), MetricValue: z.literal('1') }),
  ]),
});

/** Documents in embedded metric format, and the lines that metric filters match. */
function watchLogs({ deployment, logs, metrics }: AlarmWatchOptions): void {
  const filters = deployment
    .ofType('AWS::Logs::MetricFilter')
    .map(({ properties }) => metricFilter.parse(properties));
  logs.onLine((line) => {
    for (const { LogGroupName, FilterPattern, MetricTransformations } of filters) {
      if (logGroupOf(line.source) !== LogGroupName || !matchesLogPattern(FilterPattern, line.text)) continue;
      const [{ MetricNamespace: namespace, MetricName: name }] = MetricTransformations;
      metrics.put({ namespace, name, value: 1 });
    }
    if (line.text.startsWith('{"_aws":')) putEmbedded(line.text, metrics);
  });
}

const embedded = z
  .object({
    _aws: z.object({
      CloudWatchMetrics: z.array(
        z.object({
          Namespace: z.string(),
          Dimensions: z.tuple([z.array(z.string())]),
          Metrics: z.array(z.object({ Name: z.string() })),
        }),
      ),
    }),
  })
  .loose();

function putEmbedded(text: string, metrics: MetricStore): void {
  const document = embedded.parse(JSON.parse(text));
  for (const { Namespace: namespace, Dimensions, Metrics } of document._aws.CloudWatchMetrics) {
    const dimensions = Object.fromEntries(Dimensions[0].map((name) => [name, String(document[name])]));
    for (const { Name: name } of Metrics) {
      for (const value of [document[name]].flat())
        metrics.put({ namespace, name, dimensions, value: Number(value) });
    }
  }
}

/** `ReadThrottleEvents` and `WriteThrottleEvents` ("DynamoDB Metrics and dimensions"). */
function watchThrottling({ deployment, metrics, recorder }: AlarmWatchOptions): void {
  const [table] = deployment.ofType('AWS::DynamoDB::Table');
  recorder.subscribe(({ throttled = [] }) => {
    for (const { index, reason } of throttled) {
      metrics.put({
        namespace: 'AWS/DynamoDB',
        name: reason.includes('Write') ? 'WriteThrottleEvents' : 'ReadThrottleEvents',
        dimensions: {
          TableName: table?.ref ?? '',
          ...(index !== null && { GlobalSecondaryIndexName: index }),
        },
        value: 1,
      });
    }
  });
}

/** SES computes the rates over a representative volume, which it does not state: here, over an hour. */
const reputationMs = 3_600_000;

/** `Reputation.BounceRate` and `Reputation.ComplaintRate` of each region, while it sends. */
function watchReputation({ clock, metrics, ses }: AlarmWatchOptions): () => void {
  let seen: {
    readonly at: number;
    readonly region: string;
    readonly what: 'sent' | 'BOUNCE' | 'COMPLAINT';
  }[] = [];
  ses.observe({
    sent: ({ region }) => seen.push({ at: clock.now(), region, what: 'sent' }),
    event: ({ region }, { type }) => {
      if (type === 'BOUNCE' || type === 'COMPLAINT') seen.push({ at: clock.now(), region, what: type });
    },
  });
  return () => {
    seen = seen.filter(({ at }) => at > clock.now() - reputationMs);
    for (const region of new Set(seen.map((one) => one.region))) {
      const count = (what: string) => seen.filter((one) => one.region === region && one.what === what).length;
      const rates = { BounceRate: count('BOUNCE'), ComplaintRate: count('COMPLAINT') };
      for (const [name, events] of Object.entries(rates)) {
        const value = events / Math.max(1, count('sent'));
        metrics.put({ region, namespace: 'AWS/SES', name: `Reputation.${name}`, value });
      }
    }
  };
}

/** Without messages and calls, a queue has metrics for six hours ("Monitoring Amazon SQS queues using CloudWatch"). */
const activeMs = 6 * 3_600_000;
/** A message that was received as often no longer counts for the age ("Available CloudWatch metrics for Amazon SQS"). */
const receivesOfPoison = 3;

/** Number and age of the messages of each queue. Dead-letter queues, which nobody reads, are active after a change only. */
function watchQueues({ clock, metrics, sqs }: AlarmWatchOptions): () => void {
  const changes = new Map<string, { readonly visible: number; readonly at: number }>();
  const isActive = (arn: string, visible: number): boolean => {
    const last = changes.get(arn);
    const now = clock.now();
    if (!last || last.visible !== visible) {
      changes.set(arn, { visible, at: now });
      return true;
    }
    return now - last.at < activeMs;
  };
  return () => {
    for (const [arn, { visible }] of Object.entries(sqs.depths())) {
      const queue = sqs.queue(arn);
      const { name, redrive, fifo } = queue.settings;
      if (!isActive(arn, visible) && !redrive) continue;
      const oldest = queue.messages().find(({ receiveCount }) => fifo || receiveCount < receivesOfPoison);
      const values = {
        ApproximateNumberOfMessagesVisible: visible,
        ApproximateAgeOfOldestMessage: oldest ? (clock.now() - oldest.sentAt) / 1000 : 0,
      };
      const region = arn.split(':')[3] ?? '';
      for (const [metric, value] of Object.entries(values)) {
        metrics.put({ region, namespace: 'AWS/SQS', name: metric, dimensions: { QueueName: name }, value });
      }
    }
  };
}
