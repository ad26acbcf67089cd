/** What is billed for a deployment that does nothing (`npm run bench -- --chain`). */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { queues } from '../../lib/core/access/access.ts';
import { metrics } from '../../lib/observability/metrics.ts';
import { keptFigures } from '../../scripts/bench/chain-figures.ts';
import { fixedTable } from '../../scripts/bench/chain-page.ts';
import { monitoringOf } from '../../scripts/bench/monitoring.ts';
import { templates } from '../infra/templates.ts';

/** Resources as `templates()` has them, by type. */
function templatesWith(
  byType: Readonly<Record<string, readonly object[]>>,
): Parameters<typeof monitoringOf>[0] {
  return {
    of: (type) =>
      (byType[type] ?? []).map((properties) => ({
        ...{
          stack: 's',
          region: 'r',
          logicalId: 'l',
          type,
          properties,
          deletionPolicy: undefined,
          dependsOn: [],
        },
      })),
  };
}

const published = Object.keys(metrics).length - 1 + Object.keys(queues).length;

it('metrics are counted by name and queue, alarms by the metrics that they watch, keys by their rotation', () => {
  const expression = [{ Expression: 'a / b' }, { MetricStat: {} }, { MetricStat: {} }];
  const found = monitoringOf(
    templatesWith({
      'AWS::CloudWatch::Alarm': [{ MetricName: 'Errors' }, { Metrics: expression }],
      'AWS::Logs::MetricFilter': [{ MetricTransformations: [{}] }, { MetricTransformations: [{}, {}] }],
      'AWS::KMS::Key': [{ EnableKeyRotation: true }, {}],
    }),
  );
  expect(found).toEqual({
    alarmMetrics: 3,
    metrics: published + 3,
    dashboardMetrics: [],
    kmsKeys: 2,
    rotatedKeys: 1,
  });
});

it('a metric on a dashboard counts once, whatever its statistics', () => {
  const metric = (name: string, stat: string) =>
    `["AWS/SQS","${name}","QueueName","`.concat('REF"', `,{"stat":"${stat}"}]`);
  const text = `{"widgets":[{"properties":{"alarms":["x"]}},{"properties":{"metrics":[${metric('Age', 'Sum')},${metric('Age', 'p99')},${metric('Depth', 'Sum')}]}}]}`;
  const [first = '', ...others] = text.split('REF').map((part) => [part]);
  const parts = [...first, ...others.flatMap((part) => [{ Ref: 'Queue' }, ...part])];
  const body = (DashboardBody: unknown) =>
    templatesWith({ 'AWS::CloudWatch::Dashboard': [{ DashboardBody }] });
  expect(monitoringOf(body(text)).dashboardMetrics).toEqual([2]);
  expect(monitoringOf(body({ 'Fn::Join': ['', parts] })).dashboardMetrics).toEqual([2]);
});

it('the figures of npm run cost and docs/cost.md are those of the templates', () => {
  const { fixedUse } = keptFigures();
  expect(fixedUse.monitoring).toEqual(monitoringOf(templates()));
  expect(readFileSync(join(import.meta.dirname, '../../docs/cost.md'), 'utf8')).toContain(
    fixedTable(fixedUse),
  );
});

it('the deployment is counted whole', () => {
  const { alarmMetrics, metrics: custom, dashboardMetrics, kmsKeys } = monitoringOf(templates());
  expect(alarmMetrics).toBeGreaterThan(templates().of('AWS::CloudWatch::Alarm').length);
  expect(custom).toBe(published + templates().of('AWS::Logs::MetricFilter').length);
  // Three dashboards of up to 50 metrics are free.
  expect(dashboardMetrics.length).toBeLessThanOrEqual(3);
  expect(dashboardMetrics.every((count) => count > 10 && count <= 50)).toBe(true);
  expect(kmsKeys).toBe(templates().of('AWS::KMS::Key').length);
});
