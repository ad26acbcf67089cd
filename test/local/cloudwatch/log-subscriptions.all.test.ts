/** Subscription filters with functions, and their asynchronous invocations. */

import { setImmediate as nextTurn } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createClock } from '../../../lib/local/clock.ts';
import { startLogSubscriptions } from '../../../lib/local/cloudwatch/log-subscriptions.ts';
import { InvocationFailed } from '../../../lib/local/function-thread.ts';
import { createLogRing } from '../../../lib/local/logs.ts';
import type { Resource } from '../../../lib/local/template.ts';

const functionArn = 'arn:aws:lambda:us-east-1:111111111111:function:parley-traces';
const filter: Resource = {
  type: 'AWS::Logs::SubscriptionFilter',
  stack: 'Parley-Operations',
  region: 'us-east-1',
  logicalId: 'Lines',
  ref: 'Lines',
  arn: '',
  codeFolder: null,
  properties: {
    LogGroupName: '/parley/workers',
    FilterPattern: '{ $.a = "b*" }',
    DestinationArn: functionArn,
  },
};

interface Batch {
  readonly logStream: string;
  readonly logEvents: readonly { readonly id: string; readonly message: string }[];
}

/** @param failures of the first invocations */
function start(failures: readonly Error[] = [], mayInvoke = true) {
  const clock = createClock();
  const logs = createLogRing({ now: clock.now });
  const batches: Batch[] = [];
  const asked: unknown[] = [];
  const left = [...failures];
  const task = startLogSubscriptions({
    deployment: { ofType: () => [filter] },
    logs,
    clock,
    access: { serviceMay: (...request) => asked.push(request) > 0 && mayInvoke },
    onProgress: () => undefined,
    async invoke(_name, event) {
      const { data } = (event as { awslogs: { data: string } }).awslogs;
      batches.push(JSON.parse(gunzipSync(Buffer.from(data, 'base64')).toString()));
      const failure = left.shift();
      if (failure) throw failure;
      return null;
    },
  });
  onTestFinished(async () => {
    await task.close();
    clock.close();
  });
  return { clock, logs, batches, asked, task };
}

const line = '{"a":"b1"}';

describe('a subscription filter', () => {
  it('delivers the matching lines of each stream of its group together, each with an id of its own', async () => {
    const { logs, batches, task } = start();
    for (const text of [line, '{"a":"c"}', 'a = b', '{"a":"b2"}'])
      logs.write('parley-worker-send-mail', text);
    logs.write('parley-api-emails-send', line);
    logs.write('parley-worker-relay', line);
    expect(task.pendingWork()).not.toBeNull();
    await nextTurn();
    await nextTurn();
    expect(task.pendingWork()).toBeNull();
    expect(batches).toMatchObject([
      {
        messageType: 'DATA_MESSAGE',
        owner: '111111111111',
        logGroup: '/parley/workers',
        logStream: expect.stringMatching(
          /^\d{4}\/\d\d\/\d\d\/parley-worker-send-mail\[\$LATEST\]\[[0-9a-f]{32}\]$/,
        ),
        subscriptionFilters: ['Lines'],
        logEvents: [{ message: line, timestamp: expect.any(Number) }, { message: '{"a":"b2"}' }],
      },
      { logStream: expect.stringContaining('parley-worker-relay'), logEvents: [{ message: line }] },
    ]);
    const ids = batches.flatMap(({ logEvents }) => logEvents.map(({ id }) => id));
    expect(new Set(ids).size).toBe(3);
  });

  it('needs the permission of the function for this log group', () => {
    const { asked } = start();
    expect(asked).toEqual([
      [
        {
          service: 'logs.amazonaws.com',
          context: {
            'aws:SourceAccount': ['111111111111'],
            'aws:SourceArn': ['arn:aws:logs:us-east-1:111111111111:log-group:/parley/workers:*'],
          },
        },
        'lambda:InvokeFunction',
        functionArn,
      ],
    ]);
    expect(() => start([], false)).toThrow(/Could not execute the lambda function/);
  });

  it('delivers a batch again after one and two minutes where the function fails, and then no more', async () => {
    const failed = new InvocationFailed('Error', 'No.');
    const { clock, logs, batches } = start(Array(10).fill(failed));
    logs.write('parley-worker-relay', line);
    await nextTurn();
    const counts: number[] = [];
    for (const ms of [30_000, 30_000, 60_000, 60_000, 3_600_000]) {
      await clock.advance(ms);
      await nextTurn();
      counts.push(batches.length);
    }
    expect(counts).toEqual([1, 2, 2, 3, 3]);
    expect(new Set(batches.map(({ logEvents }) => JSON.stringify(logEvents))).size).toBe(1);
  });

  it('waits for up to six hours where Lambda throttles', async () => {
    const busy = new InvocationFailed('TooManyRequestsException', 'Rate Exceeded.');
    const { clock, logs, batches } = start(Array(20).fill(busy));
    logs.write('parley-worker-relay', line);
    for (let minutes = 0; minutes < 120; minutes++) {
      await clock.advance(60_000);
      await nextTurn();
    }
    expect(batches).toHaveLength(21);
  });
});
