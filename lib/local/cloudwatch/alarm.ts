/**
 * An alarm of the templates and its evaluation ("Alarm evaluation" and "Configuring how CloudWatch alarms treat missing data", Amazon
 * CloudWatch User Guide). Periods end with the time of the evaluation; CloudWatch also looks at some earlier ones when data are missing.
 */
import * as z from 'zod';
import { evaluateMath, type Value } from './metric-math.ts';
import type { MetricId, MetricStore } from './metric-store.ts';

export type AlarmState = 'OK' | 'ALARM' | 'INSUFFICIENT_DATA';

const dimensions = z.array(z.strictObject({ Name: z.string(), Value: z.string() })).default([]);
const statistic = z.union([z.enum(['Sum', 'Maximum', 'Average', 'Minimum']), z.string().regex(/^p\d{1,2}$/)]);

const shape = z.object({
  AlarmDescription: z.string(),
  ComparisonOperator: z.enum(['GreaterThanOrEqualToThreshold', 'LessThanThreshold']),
  EvaluationPeriods: z.number(),
  DatapointsToAlarm: z.number().optional(),
  Threshold: z.number(),
  TreatMissingData: z.enum(['breaching', 'notBreaching', 'ignore', 'missing']).default('missing'),
  Namespace: z.string().optional(),
  MetricName: z.string().optional(),
  Dimensions: dimensions,
  Statistic: statistic.optional(),
  ExtendedStatistic: statistic.optional(),
  Period: z.number().optional(),
  Metrics: z
    .array(
      z.object({
        Id: z.string(),
        Expression: z.string().optional(),
        ReturnData: z.boolean().default(true),
        MetricStat: z
          .object({
            Metric: z.object({ Namespace: z.string(), MetricName: z.string(), Dimensions: dimensions }),
            Period: z.number(),
            Stat: statistic,
          })
          .optional(),
      }),
    )
    .optional(),
});

interface Watched {
  readonly metric: MetricId;
  readonly statistic: string;
}

export interface Alarm {
  /** Region and construct id: `us-east-1 Undelivered`. */
  readonly name: string;
  readonly description: string;
  readonly periodMinutes: number;
  readonly periods: number;
  /** Of `periods`, how many must breach. */
  readonly needed: number;
  readonly missing: z.output<typeof shape>['TreatMissingData'];
  breaches(value: number): boolean;
  /** The data point of a period; null: missing. @param ago periods between its end and now */
  value(store: Pick<MetricStore, 'read'>, ago: number): Value;
}

/** @throws ZodError, Error for what is not emulated */
export function readAlarm(resource: {
  readonly region: string;
  readonly logicalId: string;
  readonly properties: object;
}): Alarm {
  const properties = shape.parse(resource.properties);
  const { Threshold: threshold, EvaluationPeriods: periods } = properties;
  const { returned, expression, watched, periodSeconds } = metricsOf(properties, resource.region);
  const periodMinutes = periodSeconds / 60;
  const isBelow = properties.ComparisonOperator === 'LessThanThreshold';
  return {
    name: `${resource.region} ${resource.logicalId.replace(/^Alarms/, '').slice(0, -8)}`,
    description: properties.AlarmDescription,
    periodMinutes,
    periods,
    needed: properties.DatapointsToAlarm ?? periods,
    missing: properties.TreatMissingData,
    breaches: (value) => (isBelow ? value < threshold : value >= threshold),
    value(store, ago) {
      const dataOf = (id: string): Value => {
        const one = watched.get(id);
        if (!one) throw new Error(`the alarm ${resource.logicalId} has no metric ${id}`);
        return statisticOf(store.read(one.metric, periodMinutes, ago * periodMinutes), one.statistic);
      };
      return expression === undefined ? dataOf(returned) : evaluateMath(expression, dataOf);
    },
  };
}

/** The metrics of an alarm by id, and what it compares: one of them, or an expression. */
function metricsOf(alarm: z.output<typeof shape>, region: string) {
  const watched = new Map<string, Watched>();
  if (!alarm.Metrics) {
    const { Namespace: namespace = '', MetricName: name = '', Dimensions } = alarm;
    const stat = alarm.Statistic ?? alarm.ExtendedStatistic ?? '';
    watched.set('m', { metric: { region, namespace, name, dimensions: named(Dimensions) }, statistic: stat });
    return { returned: 'm', expression: undefined, watched, periodSeconds: alarm.Period ?? 0 };
  }
  let periodSeconds = 0;
  for (const { Id, MetricStat } of alarm.Metrics) {
    if (!MetricStat) continue;
    const { Namespace: namespace, MetricName: name, Dimensions } = MetricStat.Metric;
    watched.set(Id, {
      metric: { region, namespace, name, dimensions: named(Dimensions) },
      statistic: MetricStat.Stat,
    });
    periodSeconds = Math.max(periodSeconds, MetricStat.Period);
  }
  const compared = alarm.Metrics.find(({ ReturnData }) => ReturnData);
  return { returned: compared?.Id ?? '', expression: compared?.Expression, watched, periodSeconds };
}

const named = (list: z.output<typeof dimensions>) =>
  Object.fromEntries(list.map(({ Name, Value }) => [Name, Value]));

function statisticOf(values: readonly number[], statistic: string): Value {
  if (values.length === 0) return null;
  const sum = values.reduce((total, value) => total + value, 0);
  if (statistic === 'Sum') return sum;
  if (statistic === 'Average') return sum / values.length;
  if (statistic === 'Maximum') return Math.max(...values);
  if (statistic === 'Minimum') return Math.min(...values);
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.ceil((Number(statistic.slice(1)) / 100) * sorted.length) - 1] ?? null;
}

/** The state of an alarm after a minute. @param before its state at the last evaluation */
export function stateOf(alarm: Alarm, store: Pick<MetricStore, 'read'>, before: AlarmState): AlarmState {
  const values = Array.from({ length: alarm.periods }, (_, ago) => alarm.value(store, ago));
  const known = values.filter((value) => value !== null);
  if (known.length === 0 && alarm.missing === 'ignore') return before;
  if (known.length === 0 && alarm.missing === 'missing') return 'INSUFFICIENT_DATA';
  const missing = values.length - known.length;
  const breaching =
    known.filter((value) => alarm.breaches(value)).length + (alarm.missing === 'breaching' ? missing : 0);
  return breaching >= alarm.needed ? 'ALARM' : 'OK';
}
