import type { DynamoDBRecord } from 'aws-lambda';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createClock } from '../../lib/local/clock.ts';
import { passesPattern } from '../../lib/local/filter-patterns.ts';
import { InvocationFailed } from '../../lib/local/function-thread.ts';
import { createQuiescence } from '../../lib/local/quiescence.ts';
import { type StreamSourceSpec, startStreamSource } from '../../lib/local/stream-event-source.ts';
import type { StreamPosition } from '../../lib/local/stream-partitions.ts';

let numbers = 0;

function record(pk: string, sk = 'OUT#1', eventName: 'INSERT' | 'REMOVE' = 'INSERT'): DynamoDBRecord {
  numbers += 1;
  return { eventName, dynamodb: { Keys: { pk: { S: pk }, sk: { S: sk } }, SequenceNumber: String(numbers) } };
}

/** The end of a read and a write may be a few steps of the event loop apart. */
async function stepsFromNow(steps: number): Promise<void> {
  for (let step = 0; step < steps; step++) await Promise.resolve();
}

interface Batch {
  readonly Records: readonly DynamoDBRecord[];
}

/** A stream event source mapping to `handle`; `write` adds records. */
function poller(options: {
  handle?: (pks: readonly string[], batch: Batch) => unknown;
  spec?: Partial<StreamSourceSpec>;
  readAtOnce?: number;
  position?: StreamPosition;
}) {
  const written: DynamoDBRecord[] = [];
  const batches: string[][] = [];
  const dead: unknown[] = [];
  let reads = 0;
  const settling = createQuiescence({ idle: async () => {}, report: () => '' });
  const moving = createClock();
  moving.waitBetweenSteps(() => settling.settle(5_000));
  onTestFinished(moving.close);
  const source = startStreamSource({
    spec: {
      functionArn: 'arn:relay',
      streamArn: 'arn:stream',
      partitionKey: 'pk',
      batchSize: 10,
      windowSeconds: 0,
      parallelization: 1,
      patterns: [],
      retriesMax: -1,
      recordAgeSecondsMax: -1,
      bisects: false,
      reportsFailures: true,
      onFailureArn: 'arn:dead',
      ...options.spec,
    },
    read: async () => {
      reads += 1;
      const records = written.splice(0, options.readAtOnce ?? 1000);
      return { records, mayHaveMore: written.length > 0 };
    },
    invoke: async (_, event) => {
      const batch = event as Batch;
      const pks = batch.Records.map(({ dynamodb }) => dynamodb?.Keys?.pk?.S ?? '');
      batches.push(pks);
      return await options.handle?.(pks, batch);
    },
    deadLetter: (arn, body) => dead.push([arn, JSON.parse(body)]),
    position: options.position,
    // At the beginning of time, but for windows.
    clock: { at: moving.at, now: options.spec?.windowSeconds ? moving.now : () => 0 },
    onProgress: settling.noteChange,
    onError: (error) => {
      throw error;
    },
  });
  onTestFinished(source.close);
  settling.add(source);
  const writeAfter = async (steps: number, ...records: DynamoDBRecord[]) => {
    await stepsFromNow(steps);
    written.push(...records);
    for (const _ of records) source.wake();
    await settling.settle(5_000);
  };
  const write = (...records: DynamoDBRecord[]) => writeAfter(0, ...records);
  return { write, writeAfter, batches, dead, advance: moving.advance, reads: () => reads };
}

const refusing = (bad: string) => (pks: readonly string[]) =>
  pks.includes(bad) ? Promise.reject(new Error('no luck')) : null;

describe('startStreamSource', () => {
  it('passes records that match the filter, in batches', async () => {
    const pattern = { eventName: ['INSERT'], dynamodb: { Keys: { sk: { S: [{ prefix: 'OUT#' }] } } } };
    const { write, batches } = poller({ spec: { patterns: [pattern], batchSize: 2 } });
    await write(record('a'), record('b', 'EMAIL'), record('c', 'OUT#2', 'REMOVE'), record('d'), record('e'));
    expect(batches).toEqual([['a', 'd'], ['e']]);
  });

  it.each(Array.from({ length: 16 }, (_, steps) => steps))(
    'misses no record when one is written %i steps after a read or a batch',
    async (steps) => {
      let second: Promise<void> | undefined;
      const { writeAfter, batches } = poller({
        handle: () => {
          second ??= writeAfter(steps, record('b'));
        },
      });
      await writeAfter(steps, record('a'));
      await second;
      expect(batches).toEqual([['a'], ['b']]);
    },
  );

  it('reads on while a read may have left records', async () => {
    const { write, batches } = poller({ readAtOnce: 2, spec: { batchSize: 1 } });
    await write(record('a'), record('b'), record('c'), record('d'), record('e'));
    expect(batches.flat()).toEqual(['a', 'b', 'c', 'd', 'e']);
  });

  it('keeps the records of one key in order with parallel batches', async () => {
    const { write, batches } = poller({
      spec: { parallelization: 4, batchSize: 1 },
      handle: () => new Promise((resolve) => setImmediate(resolve)),
    });
    await write(...Array.from({ length: 20 }, (_, at) => record(`${at % 5}`, `OUT#${at}`)));
    expect(batches.flat().sort()).toEqual(Array.from({ length: 20 }, (_, at) => `${at % 5}`).sort());
  });

  it('continues from the first failed record', async () => {
    let tries = 0;
    const { write, batches } = poller({
      handle: (pks, batch) => {
        tries += 1;
        const failed = batch.Records[pks.indexOf('b')]?.dynamodb?.SequenceNumber;
        return tries === 1 ? { batchItemFailures: [{ itemIdentifier: failed }] } : null;
      },
    });
    await write(record('a'), record('b'), record('c'));
    expect(batches).toEqual([
      ['a', 'b', 'c'],
      ['b', 'c'],
    ]);
  });

  it('bisects a failing batch and sends the bad record to the failure destination', async () => {
    const { write, batches, dead } = poller({
      spec: { bisects: true, retriesMax: 3 },
      handle: (pks) => (pks.includes('bad') ? Promise.reject(new Error('no luck')) : null),
    });
    const bad = record('bad');
    await write(record('a'), bad, record('c'), record('d'));
    expect(batches.filter((batch) => !batch.includes('bad')).flat()).toEqual(['a', 'c', 'd']);
    expect(dead).toEqual([
      [
        'arn:dead',
        {
          version: '1.0',
          timestamp: '1970-01-01T00:00:00.000Z',
          requestContext: {
            functionArn: 'arn:relay',
            condition: 'RetryAttemptsExhausted',
            approximateInvokeCount: 4,
          },
          DDBStreamBatchInfo: {
            startSequenceNumber: bad.dynamodb?.SequenceNumber,
            endSequenceNumber: bad.dynamodb?.SequenceNumber,
            batchSize: 1,
            streamArn: 'arn:stream',
          },
        },
      ],
    ]);
  });

  it('sends records older than the maximum age to the failure destination', async () => {
    const { write, batches, dead } = poller({
      spec: { recordAgeSecondsMax: 60 },
      handle: () => Promise.reject(new Error('no luck')),
    });
    const old = record('old');
    await write({ ...old, dynamodb: { ...old.dynamodb, ApproximateCreationDateTime: -61 } });
    expect(batches).toEqual([]);
    expect(dead).toMatchObject([
      ['arn:dead', { requestContext: { condition: 'RecordAgeExceeded', approximateInvokeCount: 0 } }],
    ]);
  });

  it('does not count throttled invocations as retries', async () => {
    let throttles = 2;
    const { write, batches, dead } = poller({
      spec: { retriesMax: 0 },
      handle: () => {
        throttles -= 1;
        if (throttles >= 0) throw new InvocationFailed('TooManyRequestsException', 'Rate Exceeded.');
        return null;
      },
    });
    await write(record('a'));
    expect([batches.length, dead]).toEqual([3, []]);
  });

  it('gathers records until its window ends, from the first one on, and reads no sooner', async () => {
    const { write, batches, advance, reads } = poller({ spec: { windowSeconds: 60 } });
    await write(record('a'));
    await advance(30_000);
    await write(record('b'));
    expect([reads(), batches]).toEqual([0, []]);
    await advance(29_000);
    expect(batches).toEqual([]);
    await advance(1_000);
    expect(batches).toEqual([['a', 'b']]);
    const before = reads();
    await advance(600_000);
    // The window that the start of the mapping has begun is over, and nothing was written since.
    expect([reads(), batches.length]).toEqual([before, 1]);
    await write(record('c'));
    await advance(60_000);
    expect(batches).toEqual([['a', 'b'], ['c']]);
  });

  it('ends a window with a full batch, and keeps one record more for the end of the window', async () => {
    const { write, batches, advance } = poller({ spec: { windowSeconds: 60, batchSize: 3 } });
    await write(...['a', 'b', 'c', 'd'].map((pk) => record(pk)));
    expect(batches).toEqual([['a', 'b', 'c']]);
    await advance(60_000);
    expect(batches).toEqual([['a', 'b', 'c'], ['d']]);
  });

  it('ends a batch at 6 MB', async () => {
    const { write, batches } = poller({});
    const large = (pk: string) => {
      const of = record(pk);
      return { ...of, dynamodb: { ...of.dynamodb, NewImage: { text: { S: 'x'.repeat(2_500_000) } } } };
    };
    await write(large('a'), large('b'), large('c'));
    expect(batches).toEqual([['a', 'b'], ['c']]);
  });

  it('loses no record that is written while the batch of a window runs', async () => {
    let second: Promise<void> | undefined;
    const { write, batches, advance } = poller({
      spec: { windowSeconds: 60 },
      handle: () => {
        second ??= write(record('b'));
      },
    });
    await write(record('a'));
    await advance(60_000);
    await second;
    await advance(60_000);
    expect(batches).toEqual([['a'], ['b']]);
  });

  it('begins after its position, and moves it when a batch is done or given up', async () => {
    const kept: string[] = [];
    const position = { get: () => kept.at(-1), set: (number: string) => void kept.push(number) };
    const [a, b, c] = [record('a'), record('b'), record('c')];
    const first = poller({ position, spec: { batchSize: 1, retriesMax: 0 }, handle: refusing('b') });
    await first.write(a, b);
    expect(kept).toEqual([a, b].map(({ dynamodb }) => dynamodb?.SequenceNumber));
    const second = poller({ position });
    await second.write(a, b, c);
    expect(second.batches).toEqual([['c']]);
  });

  it('retries without limit when none is set', async () => {
    let tries = 0;
    const { write, dead } = poller({
      handle: () => {
        tries += 1;
        return tries < 6 ? Promise.reject(new Error('no luck')) : null;
      },
    });
    await write(record('a'));
    expect([tries, dead]).toEqual([6, []]);
  });
});

describe('passesPattern', () => {
  const event = { eventName: 'INSERT', dynamodb: { Keys: { sk: { S: 'OUT#1' } }, n: 3 } };
  it.each([
    [{ eventName: ['MODIFY', 'INSERT'] }, true],
    [{ eventName: ['REMOVE'] }, false],
    [{ dynamodb: { Keys: { sk: { S: [{ prefix: 'OUT#' }] } } } }, true],
    [{ dynamodb: { Keys: { sk: { S: [{ suffix: '#2' }] } } } }, false],
    [{ dynamodb: { n: [3] }, eventName: ['INSERT'] }, true],
    [{ dynamodb: { n: [3] }, eventName: ['REMOVE'] }, false],
    [{ dynamodb: { missing: [{ exists: false }] } }, true],
    [{ dynamodb: { n: [{ exists: false }] } }, false],
    [{ eventName: [{ 'anything-but': ['REMOVE'] }] }, true],
    [{ nothing: { here: ['x'] } }, false],
  ])('%j: %s', (pattern, expected) => {
    expect(passesPattern(pattern, event)).toBe(expected);
  });

  it('rejects an unsupported comparison', () => {
    expect(() => passesPattern({ a: [{ numeric: ['>', 1] }] }, { a: 2 })).toThrow('numeric');
  });
});
