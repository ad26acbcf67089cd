import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { count, nameEmail, observeQueueToDone, withMetrics } from '../../lib/observability/count.ts';
import { metrics } from '../../lib/observability/metrics.ts';
import { templates } from '../infra/templates.ts';
import { captureLog } from '../support/log-lines.ts';

const invoke = <T>(invocation: () => Promise<T>) =>
  withMetrics(
    invocation,
    () => 'r1',
    () => 'parley',
  );

describe('withMetrics', () => {
  it('writes nothing when nothing was counted', async () => {
    const lines = captureLog();
    expect(await invoke(async () => 'done')).toBe('done');
    expect(lines).toEqual([]);
  });

  it('writes one document in embedded metric format for all counts of an invocation', async () => {
    const lines = captureLog();
    await invoke(async () => {
      count('EmailsAccepted', 'wks_1');
      count('EmailsAccepted', 'wks_2');
      count('InboundDroppedMailLoop', null);
      observeQueueToDone('parley-mail', 120);
      observeQueueToDone('parley-mail', 80);
    });
    expect(lines).toEqual([
      {
        _aws: {
          Timestamp: expect.any(Number),
          CloudWatchMetrics: [
            {
              Namespace: 'parley',
              Dimensions: [[]],
              Metrics: [
                { Name: 'EmailsAccepted', Unit: 'Count' },
                { Name: 'InboundDroppedMailLoop', Unit: 'Count' },
              ],
            },
            {
              Namespace: 'parley',
              Dimensions: [['QueueName']],
              Metrics: [{ Name: 'QueueToDone', Unit: 'Milliseconds' }],
            },
          ],
        },
        EmailsAccepted: 2,
        InboundDroppedMailLoop: 1,
        QueueName: 'parley-mail',
        QueueToDone: [120, 80],
        workspaces: { wks_1: { EmailsAccepted: 1 }, wks_2: { EmailsAccepted: 1 } },
      },
    ]);
  });

  it('names emails, at most 200, beside what it counts', async () => {
    const lines = captureLog();
    const email = (at: number) => ({ workspace_id: 'wks_1', email_id: `eml_${at}` });
    await invoke(async () => {
      count('EmailsAccepted', 'wks_1');
      nameEmail(email(1));
    });
    await invoke(async () => {
      count('EmailsReceived', 'wks_1');
      for (let at = 0; at < 20_000; at++) nameEmail(email(at));
    });
    const named = { duration_ms: expect.any(Number), request_id: 'r1' };
    expect(lines).toMatchObject([
      { ...named, emails: [email(1)] },
      { ...named, emails: Array.from({ length: 200 }, (_, at) => email(at)) },
    ]);
  });

  it('names the emails of an invocation that counted nothing, and of the next one none of them', async () => {
    const lines = captureLog();
    const email = { workspace_id: 'wks_1', email_id: 'eml_1' };
    await invoke(async () => nameEmail(email));
    await invoke(async () => count('EmailsReceived', null));
    expect(lines).toMatchObject([
      { _aws: { CloudWatchMetrics: [] }, emails: [email] },
      { EmailsReceived: 1 },
    ]);
    expect(lines[1]).not.toHaveProperty('emails');
  });

  it('starts anew with each invocation', async () => {
    const lines = captureLog();
    await invoke(async () => count('EmailsReceived', null));
    await invoke(async () => count('EmailsReceived', null));
    await invoke(async () => null);
    expect(lines.map(({ EmailsReceived }) => EmailsReceived)).toEqual([1, 1]);
  });

  it('publishes the counts of an invocation that throws', async () => {
    const lines = captureLog();
    const failing = invoke(async () => {
      count('EmailsReceived', null);
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    expect(lines).toHaveLength(1);
  });

  it('stays within 100 values and 100 workspaces', async () => {
    const lines = captureLog();
    await invoke(async () => {
      for (let at = 0; at < 150; at++) {
        observeQueueToDone('parley-mail', at);
        count('EmailsBounced', `wks_${at}`);
      }
    });
    expect(lines).toMatchObject([{ EmailsBounced: 150 }]);
    expect(lines.map(({ QueueToDone }) => QueueToDone)).toEqual([Array.from({ length: 100 }, (_, at) => at)]);
    expect(Object.keys(Object(lines[0]?.workspaces))).toHaveLength(100);
  });
});

describe('the metric catalogue', () => {
  it('has only metrics that the code counts', () => {
    const root = join(import.meta.dirname, '../..');
    const code = globSync('lib/services/**/*.ts', { cwd: root })
      .map((file) => readFileSync(join(root, file), 'utf8'))
      .join('\n');
    const counters = Object.keys(metrics).filter((name) => name !== 'QueueToDone');
    expect(counters.filter((name) => !code.includes(`'${name}'`))).toEqual([]);
    expect(code).toContain('observeQueueToDone(');
  });

  it('has every metric of its namespace that an alarm or a graph names, but for those of metric filters', () => {
    const filters = templates()
      .of('AWS::Logs::MetricFilter')
      .flatMap(({ properties }) => properties.MetricTransformations);
    const known = new Set([...Object.keys(metrics), ...filters.map(({ MetricName }) => MetricName)]);
    const alarms = templates()
      .of('AWS::CloudWatch::Alarm')
      .filter(({ properties }) => properties.Namespace === 'parley')
      .map(({ properties }) => properties.MetricName);
    const graphs = [
      ...JSON.stringify(templates().of('AWS::CloudWatch::Dashboard')).matchAll(
        /\\"parley\\",\\"([\w-]+)\\"/g,
      ),
    ];
    const named = [...alarms, ...graphs.map(([, name = '']) => name)];
    expect(named.length).toBeGreaterThan(8);
    expect(named.filter((name) => !known.has(name))).toEqual([]);
    for (const { MetricNamespace } of filters) expect(MetricNamespace).toBe('parley');
  });

  it('has no more metrics than a document takes', () => {
    expect(Object.keys(metrics).length).toBeLessThanOrEqual(100);
  });
});
