/** What CloudWatch and KMS bill for a deployment that does nothing, counted in its templates. */
import * as z from 'zod';
import { queues } from '../../lib/core/access/access.ts';
import { type MetricName, metrics } from '../../lib/observability/metrics.ts';
import type { Templates } from '../../test/infra/templates.ts';

export interface Monitoring {
  /** Metrics that alarms watch: an alarm on a metric math expression has several. */
  readonly alarmMetrics: number;
  /** Custom metrics: each name with each value of its dimension. */
  readonly metrics: number;
  /** Metrics of each dashboard. */
  readonly dashboardMetrics: readonly number[];
  readonly kmsKeys: number;
  readonly rotatedKeys: number;
}

const alarm = z.object({ Metrics: z.array(z.object({ MetricStat: z.unknown().optional() })).optional() });
const metricFilter = z.object({ MetricTransformations: z.array(z.unknown()) });
const key = z.object({ EnableKeyRotation: z.boolean().default(false) });
const dashboard = z.object({
  DashboardBody: z.union([z.string(), z.object({ 'Fn::Join': z.tuple([z.string(), z.array(z.unknown())]) })]),
});
const widgets = z.object({
  widgets: z.array(
    z.object({ properties: z.object({ metrics: z.array(z.array(z.unknown())).default([]) }) }),
  ),
});

/** "Analyzing, optimizing, and reducing CloudWatch costs" in the Amazon CloudWatch User Guide says what counts. */
export function monitoringOf(templates: Pick<Templates, 'of'>): Monitoring {
  const propertiesOf = <S extends z.ZodType>(type: string, shape: S) =>
    templates.of(type).map(({ properties }) => shape.parse(properties));
  const keys = propertiesOf('AWS::KMS::Key', key);
  const filters = propertiesOf('AWS::Logs::MetricFilter', metricFilter);
  return {
    alarmMetrics: sum(
      propertiesOf('AWS::CloudWatch::Alarm', alarm).map(
        ({ Metrics }) => Metrics?.filter(({ MetricStat }) => MetricStat !== undefined).length ?? 1,
      ),
    ),
    metrics: publishedMetrics + sum(filters.map(({ MetricTransformations }) => MetricTransformations.length)),
    dashboardMetrics: propertiesOf('AWS::CloudWatch::Dashboard', dashboard).map(metricsOnDashboard),
    kmsKeys: keys.length,
    rotatedKeys: keys.filter(({ EnableKeyRotation }) => EnableKeyRotation).length,
  };
}

/** `QueueToDone` has a dimension, the queue. */
const byQueue: MetricName = 'QueueToDone';
const publishedMetrics =
  Object.keys(metrics).filter((name) => name !== byQueue).length + Object.keys(queues).length;

function metricsOnDashboard({ DashboardBody: body }: z.output<typeof dashboard>): number {
  // References stand within JSON strings.
  const text =
    typeof body === 'string'
      ? body
      : body['Fn::Join'][1].map((part) => (typeof part === 'string' ? part : 'ref')).join('');
  const named = widgets
    .parse(JSON.parse(text))
    .widgets.flatMap(({ properties }) => properties.metrics)
    // Two statistics of a metric are one metric.
    .map((metric) => JSON.stringify(metric.filter((part) => typeof part === 'string')));
  return new Set(named).size;
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
