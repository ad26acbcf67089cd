/** Sums, bill and hottest partitions of chains (`npm run bench -- --chain`). */
import { describe, expect, it } from 'vitest';
import type { ConsumedUnits } from '../../lib/local/aws/dynamodb-capacity.ts';
import type { RecordedCall } from '../../lib/local/aws/recorder.ts';
import { billOf, sumsOf } from '../../scripts/bench/chain-sums.ts';
import type { Observed } from '../../scripts/bench/observe.ts';
import { ceilingOf, hottestOf, patternOf } from '../../scripts/bench/partitions.ts';
import { dollarsOf } from '../../scripts/bench/prices.ts';

function call(service: string, action: string, of: Partial<RecordedCall> = {}): RecordedCall {
  const base = { at: 0, principal: 'f~1', service, action, resource: '', startedAt: 0, ms: 1, status: 200 };
  return { ...base, ...of };
}

function consumed(partition: string, units: number, of: Partial<ConsumedUnits> = {}): ConsumedUnits {
  return { index: null, partition, sort: 'A', units, ...of };
}

function invocation(ms: number, calls: readonly RecordedCall[] = []): Observed {
  const base = { name: 'f', principal: 'f~1', startedAt: 0, cpuMs: 1, memoryBytes: 1, errorType: null };
  return { ...base, ms, timeoutSeconds: 30, memoryMb: 512, calls };
}

const services = { snsPublish: 4, s3Put: 2 };

function sums(
  invocations: readonly Observed[],
  source: 'queue' | 'fifo' | 'stream' | 'http',
  emails = 2,
  outsideMs = 0,
) {
  const observed = new Map([['f', invocations]]);
  return sumsOf({
    emails,
    observed,
    timed: observed,
    services,
    objectBytes: 6000,
    logBytes: new Map([['f', 1000]]),
    sourceOf: () => source,
    outsideMsOf: () => outsideMs,
  });
}

describe('the usage of a chain', () => {
  it('is that of one email', () => {
    const put = call('dynamodb', 'PutItem', { consumed: [consumed('W#1#E', 3)] });
    const get = call('dynamodb', 'GetItem', { consumed: [consumed('W#1#E', 0.5)] });
    const { usage } = sums([invocation(10.2, [put, get]), invocation(10.2, [put])], 'http');
    expect(usage).toMatchObject({
      writeUnit: 3,
      readUnit: 0.25,
      invocation: 1,
      httpRequest: 1,
      snsPublish: 2,
      s3Put: 1,
    });
    // 1 ms of processor time at 512 of 1,769 MB, beside a wait of 5 ms: 8.5 ms of half a gigabyte.
    expect(usage.gbSecond).toBeCloseTo(0.0045, 10);
  });

  it('has the receive and the delete of a batch beside the sends of the functions', () => {
    const send = call('sqs', 'SendMessage', { resource: 'arn:aws:sqs:x:1:parley-events' });
    const fifo = call('sqs', 'SendMessage', { resource: 'arn:aws:sqs:x:1:parley-outgoing.fifo' });
    expect(sums([invocation(1, [send, fifo, fifo])], 'queue', 1).usage).toMatchObject({
      sqsStandard: 3,
      sqsFifo: 2,
    });
    expect(sums([invocation(1, [send])], 'fifo', 1).usage).toMatchObject({ sqsStandard: 1, sqsFifo: 2 });
    expect(sums([invocation(1, [send])], 'stream', 1).usage).toMatchObject({ sqsStandard: 1, sqsFifo: 0 });
  });

  it('has the requests of S3 by their price, and no deletes', () => {
    const calls = ['PutObject', 'CopyObject', 'GetObject', 'HeadObject', 'DeleteObject'].map((action) =>
      call('s3', action),
    );
    expect(sums([invocation(1, calls)], 'stream', 1).usage).toMatchObject({
      s3Put: 2 + services.s3Put,
      s3Get: 2,
    });
  });
});

describe('what a chain stores', () => {
  it('is what stays in the table, its part that is backed up, what expires, and objects', () => {
    const units = [
      consumed('W#1#E', 1, { grownBytes: 700 }),
      consumed('W#1#S#s#E', 1, { index: 'GSI1', grownBytes: 300 }),
      consumed('W#1#OUT', 1, { grownBytes: 200 }),
      consumed('W#1#OUT', 1, { grownBytes: -200 }),
      consumed('W#1#EVENTS', 1, { grownBytes: 500, expires: true }),
    ];
    const { stored } = sums(
      [invocation(1, [call('dynamodb', 'TransactWriteItems', { consumed: units })])],
      'http',
    );
    expect(stored).toEqual({ table: 500, withoutIndexes: 350, expiring: 250, objects: 3000 });
  });
});

describe('the steps of a chain', () => {
  it('are one for each function, call, place and kind of item', () => {
    const parts = [
      consumed('W#1#E', 2, { sort: 'eml_1' }),
      consumed('W#1#S#s#E', 1, { index: 'GSI1', sort: 'eml_1' }),
    ];
    const other = [consumed('W#1#E', 2, { sort: 'eml_2' })];
    const calls = [parts, other].map((one) => call('dynamodb', 'TransactWriteItems', { consumed: one }));
    expect(sums([invocation(1, calls)], 'http').steps).toEqual([
      {
        function: 'f',
        action: 'TransactWriteItems',
        place: 'table',
        key: 'W#*#E *',
        items: 1,
        writeUnits: 2,
        readUnits: 0,
      },
      {
        function: 'f',
        action: 'TransactWriteItems',
        place: 'GSI1',
        key: 'W#*#S#*#E *',
        items: 0.5,
        writeUnits: 0.5,
        readUnits: 0,
      },
    ]);
  });
});

describe('a key without its ids', () => {
  it.each([
    ['W#wsp_01#E#eml_02 EVENT#1795254480485#ab', 'W#*#E#* EVENT#*#*'],
    ['W#wsp_01#S#none#E', 'W#*#S#*#E'],
    ['LIMITER#eu-central-1 LIMITER', 'LIMITER#* LIMITER'],
  ])('%s is %s', (key, pattern) => {
    expect(patternOf(key)).toBe(pattern);
  });
});

describe('the hottest partitions', () => {
  it('are those of one key, whose units of all emails add up, in table and indexes apart', () => {
    const units = [
      consumed('W#1#E', 2),
      consumed('W#1#E', 2),
      consumed('W#1#E', 3, { index: 'GSI1' }),
      consumed('W#1#E#a', 1),
      consumed('W#1#E#b', 1),
      consumed('LIMITER#x', 5),
    ];
    const found = hottestOf(units, 2);
    expect(found.map(({ place, key, shared, units: sum }) => [place, key, shared, sum])).toEqual([
      ['table', 'LIMITER#*', true, 2.5],
      ['table', 'W#*#E', false, 2],
      ['GSI1', 'W#*#E', false, 1.5],
      ['table', 'W#*#E#*', false, 0.5],
      ['table', 'W#*#E#*', false, 0.5],
    ]);
    expect(found.slice(0, 2).map((one) => ceilingOf(one, 'writes'))).toEqual([400, 500]);
    expect(ceilingOf({ units: 2 }, 'reads')).toBe(1500);
  });
});

describe('the bill', () => {
  it('adds what a million emails use at list prices', () => {
    const { usage } = sumsOf({
      emails: 1,
      observed: new Map(),
      timed: new Map(),
      services: { snsPublish: 0, s3Put: 1 },
      objectBytes: 0,
      logBytes: new Map(),
      sourceOf: () => 'http',
      outsideMsOf: () => 0,
    });
    const { dollarsPerMillion, lines } = billOf({
      ...usage,
      writeUnit: 10,
    });
    expect(dollarsPerMillion).toBeCloseTo(6.25 + 5, 10);
    expect(lines.find(({ what }) => what === 's3Put')?.dollarsPerMillion).toBe(5);
  });

  it('is by the unit of each price', () => {
    expect(dollarsOf('writeUnit', 1_000_000)).toBe(0.625);
    expect(dollarsOf('gbSecond', 1000)).toBeCloseTo(0.0133334, 10);
    expect(dollarsOf('tableGb', 4)).toBe(1);
  });
});
