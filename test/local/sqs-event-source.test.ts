import type { SQSRecord } from 'aws-lambda';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { localAccount } from '../../lib/local/aws/service.ts';
import { createSqs } from '../../lib/local/aws/sqs.ts';
import { failuresOf } from '../../lib/local/batch-item-failures.ts';
import { createClock } from '../../lib/local/clock.ts';
import { InvocationFailed } from '../../lib/local/function-thread.ts';
import { createQuiescence } from '../../lib/local/quiescence.ts';
import { startQueueSource } from '../../lib/local/sqs-event-source.ts';

interface Batch {
  readonly Records: readonly Pick<SQSRecord, 'messageId' | 'body' | 'attributes'>[];
}

/** A queue with an event source mapping to `handle`. */
function poller(options: {
  handle: (bodies: readonly string[], batch: Batch) => unknown;
  batchSize?: number;
  windowSeconds?: number;
  concurrency?: number;
  pollers?: { minimum: number; maximum: number };
  fifo?: boolean;
  receivesMax?: number;
  scales?: boolean;
}) {
  const clock = createClock();
  onTestFinished(() => clock.close());
  const sqs = createSqs({ clock, account: localAccount, region: 'us-east-1' });
  const suffix = options.fifo ? '.fifo' : '';
  const common = { fifo: options.fifo ?? false, retentionSeconds: 86_400 };
  const dead = sqs.createQueue({ ...common, name: `dead${suffix}`, visibilitySeconds: 30 });
  const queue = sqs.createQueue({
    ...common,
    name: `work${suffix}`,
    visibilitySeconds: 60,
    redrive: { dlqArn: dead.arn, maxReceiveCount: options.receivesMax ?? 3 },
  });
  const batches: string[][] = [];
  const traces: (readonly string[])[] = [];
  const settling = createQuiescence({ idle: async () => {}, report: () => '' });
  const source = startQueueSource({
    spec: {
      functionArn: 'arn:worker',
      queueArn: queue.arn,
      batchSize: options.batchSize ?? 10,
      windowSeconds: options.windowSeconds ?? 0,
      reportsFailures: true,
      ...(options.concurrency !== undefined && { concurrency: options.concurrency }),
      ...(options.pollers && { pollers: options.pollers }),
    },
    clock,
    ...(options.scales !== undefined && { scales: options.scales }),
    queue,
    region: 'us-east-1',
    invoke: async (_, event, { traces: given }) => {
      traces.push(given);
      const batch = event as Batch;
      const bodies = batch.Records.map(({ body }) => body);
      batches.push(bodies);
      return await options.handle(bodies, batch);
    },
    onProgress: settling.noteChange,
  });
  settling.add(source);
  return { clock, queue, dead, batches, traces, settle: () => settling.settle(2_000), source };
}

const failing = (isFailing: (body: string) => boolean) => (_: readonly string[], batch: Batch) => ({
  batchItemFailures: batch.Records.filter(({ body }) => isFailing(body)).map(({ messageId }) => ({
    itemIdentifier: messageId,
  })),
});

describe('startQueueSource', () => {
  it('deletes succeeded messages and returns failed ones after their visibility timeout', async () => {
    const tried: string[] = [];
    const { queue, batches, settle, clock } = poller({
      handle: failing((body) => {
        tried.push(body);
        return body === 'bad' && tried.filter((each) => each === 'bad').length === 1;
      }),
    });
    for (const body of ['a', 'bad', 'b']) queue.send({ body });
    await settle();
    expect([batches, queue.depth()]).toEqual([[['a', 'bad', 'b']], { visible: 0, inFlight: 1, delayed: 0 }]);
    await clock.advance(60_000);
    await settle();
    expect([batches, queue.depth()]).toEqual([
      [['a', 'bad', 'b'], ['bad']],
      { visible: 0, inFlight: 0, delayed: 0 },
    ]);
  });

  it('retries the whole batch until the redrive policy applies when the function fails', async () => {
    const { queue, dead, batches, settle, clock } = poller({
      handle: () => Promise.reject(new Error('no luck')),
    });
    for (const body of ['a', 'b']) queue.send({ body });
    for (let round = 0; round < 4; round++) {
      await settle();
      await clock.advance(60_000);
    }
    expect(batches).toEqual([
      ['a', 'b'],
      ['a', 'b'],
      ['a', 'b'],
    ]);
    expect(dead.messages().map(({ body }) => body)).toEqual(['a', 'b']);
  });

  it('invokes the function in the chains of its messages, also when a message comes again', async () => {
    const events: unknown[] = [];
    const { queue, dead, traces, settle, clock } = poller({
      handle: (_, { Records }) => {
        events.push(...Records.map(({ attributes }) => attributes.AWSTraceHeader));
        throw new Error('no luck');
      },
      receivesMax: 2,
    });
    queue.send({ body: 'a', traceHeader: 'Root=1;Lineage=a87bd80c:1' });
    queue.send({ body: 'b' });
    await settle();
    await clock.advance(60_000);
    await settle();
    await clock.advance(60_000);
    await settle();
    expect(traces).toEqual([['Root=1;Lineage=a87bd80c:1'], ['Root=1;Lineage=a87bd80c:1']]);
    expect(events.slice(0, 2)).toEqual(['Root=1;Lineage=a87bd80c:1', undefined]);
    expect(dead.messages()).toMatchObject([{ traceHeader: 'Root=1;Lineage=a87bd80c:1' }, { body: 'b' }]);
  });

  it('receives one batch at a time and stays below the maximum concurrency', async () => {
    let running = 0;
    let most = 0;
    const { queue, batches, settle } = poller({
      batchSize: 2,
      concurrency: 2,
      handle: async () => {
        running += 1;
        most = Math.max(most, running);
        await new Promise((resolve) => setImmediate(resolve));
        running -= 1;
        return null;
      },
    });
    for (let count = 0; count < 9; count++) queue.send({ body: String(count) });
    await settle();
    expect(batches.map((batch) => batch.length)).toEqual([2, 2, 2, 2, 1]);
    expect(most).toBe(2);
  });

  it('processes one batch per FIFO message group at a time', async () => {
    const running = new Set<string>();
    const { queue, batches, settle } = poller({
      fifo: true,
      batchSize: 1,
      handle: async ([body = '']) => {
        const group = body.charAt(0);
        expect(running.has(group)).toBe(false);
        running.add(group);
        await new Promise((resolve) => setImmediate(resolve));
        running.delete(group);
        return null;
      },
    });
    for (const body of ['a1', 'a2', 'b1', 'a3', 'b2']) {
      queue.send({ body, groupId: body.charAt(0), deduplicationId: body });
    }
    await settle();
    const order = batches.flat();
    expect(order.filter((body) => body.startsWith('a'))).toEqual(['a1', 'a2', 'a3']);
    expect(order.filter((body) => body.startsWith('b'))).toEqual(['b1', 'b2']);
  });

  it('processes the message of a quiet group before the backlog of a noisy one', async () => {
    const { promise: released, resolve: release } = Promise.withResolvers<null>();
    const { queue, batches, settle } = poller({ batchSize: 10, concurrency: 3, handle: () => released });
    for (let count = 0; count < 50; count++) queue.send({ body: 'noisy', groupId: 'noisy' });
    await vi.waitFor(() => expect(batches).toHaveLength(3));
    queue.send({ body: 'quiet', groupId: 'quiet' });
    release(null);
    await settle();
    expect(batches[3]?.[0]).toBe('quiet');
    expect(batches.flat()).toHaveLength(51);
  });

  it("builds records with every field of Lambda's event", async () => {
    const events: unknown[] = [];
    const { queue, settle } = poller({
      handle: (_, batch) => {
        events.push(batch);
        return null;
      },
    });
    queue.send({
      body: 'text',
      groupId: 'tenant',
      attributes: { kind: { DataType: 'String', StringValue: 'x' } },
    });
    await settle();
    expect(events).toEqual([
      {
        Records: [
          {
            messageId: expect.stringMatching(/^[0-9a-f-]{36}$/),
            receiptHandle: expect.any(String),
            body: 'text',
            attributes: {
              ApproximateReceiveCount: '1',
              SentTimestamp: expect.stringMatching(/^\d{13}$/),
              SenderId: expect.any(String),
              ApproximateFirstReceiveTimestamp: expect.stringMatching(/^\d{13}$/),
              MessageGroupId: 'tenant',
            },
            messageAttributes: {
              kind: { dataType: 'String', stringValue: 'x', stringListValues: [], binaryListValues: [] },
            },
            md5OfBody: '1cb251ec0d568de6a929b520c4aed8d1',
            eventSource: 'aws:sqs',
            eventSourceARN: 'arn:aws:sqs:us-east-1:111111111111:work',
            awsRegion: 'us-east-1',
          },
        ],
      },
    ]);
  });
});

describe('startQueueSource under a concurrency limit', () => {
  it('retries a throttled invocation with the same messages', async () => {
    let throttles = 2;
    const { queue, batches, clock, settle } = poller({
      handle: () => {
        throttles -= 1;
        if (throttles >= 0) throw new InvocationFailed('TooManyRequestsException', 'Rate Exceeded.');
        return {};
      },
    });
    queue.send({ body: 'a' });
    await vi.waitFor(() => expect(batches).toHaveLength(1));
    await clock.advance(200);
    await vi.waitFor(() => expect(batches).toHaveLength(2));
    await clock.advance(400);
    await settle();
    expect(batches).toEqual([['a'], ['a'], ['a']]);
    expect(queue.depth()).toEqual({ visible: 0, inFlight: 0, delayed: 0 });
  });

  it('returns messages to the queue when throttling lasts for their visibility timeout', async () => {
    const { queue, dead, clock, batches } = poller({
      receivesMax: 1,
      handle: () => {
        throw new InvocationFailed('TooManyRequestsException', 'Rate Exceeded.');
      },
    });
    queue.send({ body: 'a' });
    await vi.waitFor(() => expect(batches).toHaveLength(1));
    for (let seconds = 0; seconds < 62; seconds += 1) {
      await clock.advance(1_000);
      await new Promise((resolve) => setImmediate(resolve));
    }
    await vi.waitFor(() => expect(dead.messages()).toMatchObject([{ body: 'a' }]));
    expect(batches.length).toBeGreaterThan(5);
  });

  it('adds 300 concurrent invocations a minute to 5 while there is a backlog, up to the maximum', async () => {
    const open: (() => void)[] = [];
    const { queue, clock, batches } = poller({
      batchSize: 1,
      scales: true,
      concurrency: 12,
      handle: () => new Promise((resolve) => open.push(() => resolve({}))),
    });
    for (let sent = 0; sent < 30; sent += 1) queue.send({ body: String(sent) });
    await vi.waitFor(() => expect(batches).toHaveLength(5));
    await clock.advance(1_000);
    queue.send({ body: 'one more' });
    await vi.waitFor(() => expect(batches).toHaveLength(10));
    await clock.advance(10_000);
    queue.send({ body: 'one more' });
    await vi.waitFor(() => expect(batches).toHaveLength(12));
    for (const end of open) end();
  });

  it.each([
    [false, 20],
    [true, 40],
  ])('runs ten invocations for each provisioned poller; with growth %s: %i', async (scales, most) => {
    const open: (() => void)[] = [];
    const { queue, clock, batches } = poller({
      batchSize: 1,
      scales,
      pollers: { minimum: 2, maximum: 4 },
      handle: () => new Promise((resolve) => open.push(() => resolve({}))),
    });
    for (let sent = 0; sent < 60; sent += 1) queue.send({ body: String(sent) });
    await vi.waitFor(() => expect(batches.length).toBeGreaterThanOrEqual(20));
    // 1,000 a minute.
    await clock.advance(1_200);
    queue.send({ body: 'one more' });
    await vi.waitFor(() => expect(batches).toHaveLength(most));
    for (const end of open) end();
  });

  it('waits for a batch to fill until its window ends', async () => {
    const { clock, queue, batches, settle } = poller({ batchSize: 3, windowSeconds: 20, handle: () => ({}) });
    queue.send({ body: 'a' });
    await clock.advance(10_000);
    queue.send({ body: 'b' });
    expect(batches).toEqual([]);
    await clock.advance(10_000);
    await settle();
    expect(batches).toEqual([['a', 'b']]);
    for (const body of ['c', 'd', 'e', 'f']) queue.send({ body });
    await vi.waitFor(() =>
      expect(batches).toEqual([
        ['a', 'b'],
        ['c', 'd', 'e'],
      ]),
    );
    await clock.advance(20_000);
    await settle();
    expect(batches.at(-1)).toEqual(['f']);
    expect(queue.depth()).toEqual({ visible: 0, inFlight: 0, delayed: 0 });
  });
});

describe('failuresOf', () => {
  const given = new Set(['a', 'b']);
  it.each([
    ['nothing', null, []],
    ['an answer without failures', {}, []],
    ['no failures', { batchItemFailures: [] }, []],
    ['one failure', { batchItemFailures: [{ itemIdentifier: 'b' }] }, ['b']],
    ['a failure that was not in the batch', { batchItemFailures: [{ itemIdentifier: 'c' }] }, ['a', 'b']],
    ['a failure without a name', { batchItemFailures: [{ itemIdentifier: '' }] }, ['a', 'b']],
    ['what is no list', { batchItemFailures: 'all' }, ['a', 'b']],
  ])('reads %s', (_, answer, expected) => {
    expect([...failuresOf(answer, given)]).toEqual(expected);
  });
});
