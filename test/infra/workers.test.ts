import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { afterAll, describe, expect, it } from 'vitest';
import { workers } from '../../functions/workers.ts';
import { namesOf } from '../../lib/constructs/names.ts';
import type { WorkerContract } from '../../lib/core/work/worker.ts';
import { WorkersStack } from '../../lib/stacks/workers.ts';
import { settings } from './templates.ts';

const folder = mkdtempSync(join(tmpdir(), 'parley-workers-'));
const code = mkdtempSync(join(folder, 'code-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function stackOf(contracts: readonly WorkerContract[], lambdaConcurrency = 1000): Template {
  const app = new App({ outdir: mkdtempSync(join(folder, 'assembly-')) });
  const stack = new WorkersStack(app, 'Workers', {
    env: { account: settings.account, region: settings.homeRegion },
    workers: contracts,
    lambdaConcurrency,
    targets: {
      names: namesOf(settings),
      mailRegions: settings.mailRegions,
      secretsKeyArn: 'arn:aws:kms:::key/k',
      sharedAppSecretArns: [],
    },
    environment: {},
    code,
    tableStreamArn: 'arn:aws:dynamodb:eu-central-1:111111111111:table/parley/stream/now',
  });
  return Template.fromStack(stack);
}

describe('the workers stack', () => {
  it('invokes a periodic worker by a schedule whose role may invoke this function only', () => {
    const tick: WorkerContract = {
      id: 'tick',
      summary: 'Looks for what is overdue.',
      trigger: { kind: 'every', minutes: 5 },
      access: ['table:query'],
      timeoutSeconds: 60,
      memoryMb: 256,
    };
    const template = stackOf([...workers.filter(({ trigger }) => trigger.kind !== 'every'), tick]);
    const schedules = Object.values(template.findResources('AWS::Scheduler::Schedule'));
    expect(schedules.map(({ Properties }) => Properties.ScheduleExpression)).toEqual(['rate(5 minutes)']);
    const roles = Object.entries(template.findResources('AWS::IAM::Role'));
    const [, role] = roles.find(([id]) => id.startsWith('TickClockRole')) ?? [];
    expect(role?.Properties.Policies[0].PolicyDocument.Statement).toEqual([
      {
        Effect: 'Allow',
        Action: 'lambda:InvokeFunction',
        Resource: { 'Fn::GetAtt': [expect.stringMatching(/^FunctionsTick/), 'Arn'] },
      },
    ]);
  });

  it.each([
    [10, { 'send-mail': 2, 'deliver-webhook': 2 }, 1],
    [200, { 'send-mail': 14, 'receive-mail': 16 }, 3],
    [1000, { 'send-mail': 93, 'receive-mail': 109 }, 3],
    [3000, { 'send-mail': 290, 'receive-mail': 338, 'sync-identity': 2 }, 3],
    [20_000, { 'send-mail': 1000, 'receive-mail': 1000, 'sync-identity': 2 }, 3],
  ])(
    'gives event sources their share of half of the concurrency when the account has %i',
    (account, some, relayFactor) => {
      const template = stackOf(workers, account);
      const sources = Object.entries(template.findResources('AWS::Lambda::EventSourceMapping'));
      const maxima = sources.flatMap(
        ([, { Properties }]) => Properties.ScalingConfig?.MaximumConcurrency ?? [],
      );
      // All but those of the stream.
      expect(maxima).toHaveLength(sources.length - 2);
      expect(Math.min(...maxima)).toBe(2);
      expect(Math.max(...maxima)).toBeLessThanOrEqual(1000);
      for (const [worker, maximum] of Object.entries(some)) {
        const [, source] = sources.find(([id]) => id.toLowerCase().startsWith(worker.replace('-', ''))) ?? [];
        expect(source?.Properties.ScalingConfig.MaximumConcurrency, worker).toBe(maximum);
      }
      const [, relay] = sources.find(([id]) => id.startsWith('Relay')) ?? [];
      expect(relay?.Properties.ParallelizationFactor).toBe(relayFactor);
    },
  );

  it('gives sources that take more than 1,000 executions pollers instead, ten executions each', () => {
    const sources = Object.entries(stackOf(workers, 70_000).findResources('AWS::Lambda::EventSourceMapping'));
    const pollers = sources.flatMap(([id, { Properties }]) =>
      Properties.ProvisionedPollerConfig ? [[id.replace(/Source.*/, ''), Properties] as const] : [],
    );
    expect(pollers.map(([id]) => id).toSorted()).toEqual([
      'DeliverWebhook',
      'ExtractText',
      'ProviderEvent',
      'ReceiveMail',
      'SendMail',
    ]);
    for (const [, { ProvisionedPollerConfig, ScalingConfig }] of pollers) {
      expect(ScalingConfig).toBeUndefined();
      expect(ProvisionedPollerConfig.MinimumPollers).toBe(2);
      expect(ProvisionedPollerConfig.MaximumPollers).toBeGreaterThan(100);
    }
    const { ProvisionedPollerConfig } = pollers.find(([id]) => id === 'ReceiveMail')?.[1] ?? {};
    // 10,000 received emails a second: ten polls a second of one message each.
    expect(ProvisionedPollerConfig.MaximumPollers).toBeGreaterThanOrEqual(1000);
  });

  it('throws with the name of the queue when a queue has no consumer', () => {
    const without = workers.filter(({ trigger }) => trigger.kind !== 'queue' || trigger.queue !== 'tasks');
    expect(() => stackOf(without)).toThrow('no worker consumes the queue tasks');
  });
});
