import { describe, expect, it, onTestFinished } from 'vitest';
import { createSqs } from '../../../lib/local/aws/sqs.ts';
import { createQueue } from '../../../lib/local/aws/sqs-queue.ts';
import type { QueueSettings } from '../../../lib/local/aws/sqs-types.ts';
import { createClock } from '../../../lib/local/clock.ts';
import type { Journal } from '../../../lib/local/journal.ts';
import { journalFile } from '../../support/journal.ts';

const dlqArn = 'arn:aws:sqs:eu-central-1:111111111111:dead';

function queueWith(settings: Partial<QueueSettings> = {}, journal: Journal | null = null) {
  const clock = createClock();
  onTestFinished(clock.close);
  const sqs = createSqs({ clock, account: '111111111111', region: 'eu-central-1', journal });
  const dead = sqs.createQueue({
    name: 'dead',
    fifo: false,
    visibilitySeconds: 30,
    retentionSeconds: 1_209_600,
  });
  const queue = sqs.createQueue({
    name: settings.fifo ? 'work.fifo' : 'work',
    fifo: false,
    visibilitySeconds: 30,
    retentionSeconds: 345_600,
    ...settings,
  });
  const receive = (max = 10) => queue.receive(max);
  const bodies = (max = 10) => receive(max).map((message) => message.body);
  return { clock, sqs, dead, queue, receive, bodies };
}

/** The only message. */
function only<T>(items: readonly T[]): T {
  const [item] = items;
  if (!item || items.length > 1) throw new Error(`expected one, not ${items.length}`);
  return item;
}

const fifo = { fifo: true } as const;
const message = (body: string, groupId: string) => ({
  body,
  groupId,
  deduplicationId: `${groupId}-${body}`,
});

describe('a standard queue', () => {
  it('hides a received message until its visibility timeout ends and then increments its receive count', async () => {
    const { clock, queue, receive } = queueWith();
    queue.send({ body: 'a' });
    expect(only(receive()).receiveCount).toBe(1);
    expect(queue.depth()).toEqual({ visible: 0, inFlight: 1, delayed: 0 });
    await clock.advance(29_000);
    expect(receive()).toEqual([]);
    await clock.advance(2000);
    expect(only(receive()).receiveCount).toBe(2);
  });

  it('delays a message and notifies listeners when the delay ends', async () => {
    const { clock, queue, bodies } = queueWith();
    queue.send({ body: 'later', delaySeconds: 900 });
    queue.send({ body: 'now' });
    expect(bodies()).toEqual(['now']);
    const available = new Promise<void>((resolve) => queue.onAvailable(resolve));
    await clock.advance(900_000);
    await available;
    expect(bodies()).toContain('later');
  });

  it('deletes by the latest receipt handle only', async () => {
    const { clock, queue, receive } = queueWith();
    queue.send({ body: 'a' });
    const first = only(receive());
    await clock.advance(31_000);
    const second = only(receive());
    queue.delete(first.receiptHandle);
    expect(queue.messages()).toHaveLength(1);
    queue.delete(second.receiptHandle);
    expect(queue.messages()).toEqual([]);
  });

  it('makes a message receivable at once when its visibility timeout is set to 0', () => {
    const { queue, receive, bodies } = queueWith();
    queue.send({ body: 'a' });
    queue.changeVisibility(only(receive()).receiptHandle, 0);
    expect(bodies()).toEqual(['a']);
  });

  it('extends the visibility timeout of a message in flight', async () => {
    const { clock, queue, receive, bodies } = queueWith();
    queue.send({ body: 'a' });
    queue.changeVisibility(only(receive()).receiptHandle, 600);
    await clock.advance(500_000);
    expect(bodies()).toEqual([]);
    await clock.advance(101_000);
    expect(bodies()).toEqual(['a']);
  });

  it('moves a message to the dead-letter queue after maxReceiveCount receives', () => {
    const { queue, dead, receive } = queueWith({ redrive: { dlqArn, maxReceiveCount: 2 } });
    const { id } = queue.send({ body: 'poison' });
    queue.changeVisibility(only(receive()).receiptHandle, 0);
    queue.changeVisibility(only(receive()).receiptHandle, 0);
    expect(receive()).toEqual([]);
    expect(queue.messages()).toEqual([]);
    expect(dead.messages()).toMatchObject([{ id, body: 'poison', deadLetterSourceArn: queue.arn }]);
  });

  it('drops messages older than the retention period', async () => {
    const { clock, queue, receive } = queueWith({ retentionSeconds: 60 });
    queue.send({ body: 'old' });
    await clock.advance(61_000);
    expect(receive()).toEqual([]);
    expect(queue.messages()).toEqual([]);
  });

  it('delivers messages of quiet groups before the backlog of a group with 30 in flight', () => {
    const { queue, bodies } = queueWith();
    for (let i = 0; i < 60; i += 1) queue.send({ body: `noisy ${i}`, groupId: 'noisy' });
    expect([bodies(), bodies(), bodies()].flat()).toHaveLength(30);
    queue.send({ body: 'b', groupId: 'quiet' });
    queue.send({ body: 'c' });
    expect(bodies(4)).toEqual(['b', 'c', 'noisy 30', 'noisy 31']);
  });

  it('delivers the noisy group with fewest messages in flight first', () => {
    const { queue, bodies } = queueWith();
    const send = (groupId: string, count: number) => {
      for (let i = 0; i < count; i += 1) queue.send({ body: groupId, groupId });
    };
    const receive = (count: number) => {
      for (let left = count; left > 0; left -= 10) bodies(Math.min(left, 10));
    };
    send('a', 32);
    receive(32);
    send('b', 30);
    receive(30);
    send('a', 3);
    send('b', 4);
    expect(bodies(7)).toEqual(['b', 'b', 'a', 'b', 'a', 'b', 'a']);
  });

  it('accepts a group id of 128 alphanumeric and punctuation characters', () => {
    const { queue, receive } = queueWith();
    const groupId = `!"#$%&'()*+,-./:;<=>?@[\\]^_\`{|}~`.padEnd(128, 'a');
    queue.send({ body: 'a', groupId });
    expect(only(receive()).groupId).toBe(groupId);
  });

  it.each([
    ['129 characters', 'a'.repeat(129)],
    ['no characters', ''],
    ['a space', 'a b'],
    ['a letter outside ASCII', 'ä'],
  ])('rejects a group id of %s', (_what, groupId) => {
    expect(() => queueWith().queue.send({ body: 'a', groupId })).toThrow('for parameter MessageGroupId');
  });

  it('takes a group whose messages are slow for noisy', async () => {
    const { clock, queue, receive, bodies } = queueWith();
    queue.send({ body: 'slow', groupId: 'slow' });
    const slow = only(receive());
    await clock.advance(10_000);
    queue.delete(slow.receiptHandle);
    queue.send({ body: 'slow again', groupId: 'slow' });
    queue.send({ body: 'other', groupId: 'other' });
    expect(bodies()).toEqual(['other', 'slow again']);
  });

  it('takes a group that ended its backlog five minutes ago for quiet', async () => {
    const { clock, queue, receive, bodies } = queueWith();
    queue.send({ body: 'slow', groupId: 'slow' });
    const slow = only(receive());
    await clock.advance(10_000);
    queue.delete(slow.receiptHandle);
    await clock.advance(300_000);
    queue.send({ body: 'slow again', groupId: 'slow' });
    queue.send({ body: 'other', groupId: 'other' });
    expect(bodies()).toEqual(['slow again', 'other']);
  });

  it('accepts a message group id without ordering by it', () => {
    const { queue, receive } = queueWith();
    queue.send({ body: 'a', groupId: 'tenant' });
    queue.send({ body: 'b', groupId: 'tenant' });
    expect(receive(1)).toMatchObject([{ body: 'a', groupId: 'tenant' }]);
    expect(receive(1)).toMatchObject([{ body: 'b', groupId: 'tenant' }]);
  });

  it.each([
    ['a delay over 900 seconds', { body: 'a', delaySeconds: 901 }, 'DelaySeconds must be >= 0 and <= 900'],
    [
      'a message over 1 MiB',
      { body: 'a'.repeat(1024 * 1024 + 1) },
      'Message must be shorter than 1048576 bytes',
    ],
    ['a deduplication id', { body: 'a', deduplicationId: 'x' }, 'not valid for this queue type'],
    ['an empty body', { body: '' }, 'must contain the parameter MessageBody'],
    ['control characters', { body: 'a\u0000' }, 'characters outside the allowed set'],
  ])('rejects %s', (_what, input, message) => {
    expect(() => queueWith().queue.send(input)).toThrow(message);
  });

  it('notifies listeners once for messages sent together', async () => {
    const { queue } = queueWith();
    let calls = 0;
    queue.onAvailable(() => calls++);
    for (let n = 0; n < 10; n++) queue.send({ body: `${n}` });
    await Promise.resolve();
    expect(calls).toBe(1);
  });
});

describe('a FIFO queue', () => {
  it('keeps the order within a group and has one batch of a group in flight', () => {
    const { queue, receive, bodies } = queueWith(fifo);
    for (const body of ['1', '2', '3']) queue.send(message(body, 'a'));
    queue.send(message('4', 'b'));
    const first = receive(2);
    expect(first.map(({ body }) => body)).toEqual(['1', '2']);
    expect(bodies()).toEqual(['4']);
    for (const { receiptHandle } of first) {
      expect(bodies()).toEqual([]);
      queue.delete(receiptHandle);
    }
    expect(bodies()).toEqual(['3']);
  });

  it('returns a failed message before later ones of its group', async () => {
    const { clock, queue, bodies } = queueWith(fifo);
    queue.send(message('1', 'a'));
    queue.send(message('2', 'a'));
    expect(bodies(1)).toEqual(['1']);
    await clock.advance(31_000);
    expect(bodies()).toEqual(['1', '2']);
  });

  it('drops duplicates by deduplication id for five minutes', async () => {
    const { clock, queue, bodies } = queueWith(fifo);
    const { id } = queue.send(message('1', 'a'));
    expect(queue.send(message('1', 'a')).id).toBe(id);
    expect(bodies()).toEqual(['1']);
    await clock.advance(300_000);
    expect(queue.send(message('1', 'a')).id).not.toBe(id);
  });

  it('scopes deduplication ids to message groups when the queue is configured so', () => {
    const { queue, bodies } = queueWith({ ...fifo, deduplicationScope: 'messageGroup' });
    queue.send({ body: '1', groupId: 'a', deduplicationId: 'same' });
    queue.send({ body: '2', groupId: 'b', deduplicationId: 'same' });
    expect(bodies()).toEqual(['1', '2']);
  });

  it('derives deduplication ids from the body when the queue is configured so', () => {
    const { queue, bodies } = queueWith({ ...fifo, contentBasedDeduplication: true });
    queue.send({ body: '1', groupId: 'a' });
    queue.send({ body: '1', groupId: 'a' });
    expect(bodies()).toEqual(['1']);
  });

  it('continues a group after its first message moved to the dead-letter queue', () => {
    const { queue, receive, bodies } = queueWith({ ...fifo, redrive: { dlqArn, maxReceiveCount: 1 } });
    queue.send(message('1', 'a'));
    queue.send(message('2', 'a'));
    queue.changeVisibility(only(receive(1)).receiptHandle, 0);
    expect(bodies()).toEqual(['2']);
  });

  it('searches only its first messages for available groups', () => {
    const clock = createClock();
    const settings = { name: 'work.fifo', fifo: true, visibilitySeconds: 30, retentionSeconds: 345_600 };
    const queue = createQueue(settings, {
      arn: 'arn:work',
      clock,
      deadLetterQueue: () => queue,
      fifoSearchDepth: 4,
    });
    const send = (groupId: string, body: string) => queue.send({ body, groupId, deduplicationId: body });
    for (const body of ['a1', 'a2', 'a3', 'a4', 'a5']) send('a', body);
    send('b', 'b1');
    const [first] = queue.receive(1);
    expect(first?.body).toBe('a1');
    // Group b is the sixth message; four are searched.
    expect(queue.receive(10)).toEqual([]);
    queue.delete(first?.receiptHandle ?? '');
    expect(queue.receive(1).map(({ body }) => body)).toEqual(['a2']);
    clock.close();
  });

  it('rejects a deletion after the visibility timeout ended', async () => {
    const { clock, queue, receive } = queueWith(fifo);
    queue.send(message('1', 'a'));
    const { receiptHandle } = only(receive());
    await clock.advance(31_000);
    expect(() => queue.delete(receiptHandle)).toThrow('The receipt handle has expired');
  });

  it.each([
    ['a message without a group', { body: 'a', deduplicationId: 'x' }, 'MessageGroupId'],
    ['a message without a deduplication id', { body: 'a', groupId: 'x' }, 'MessageDeduplicationId'],
    [
      'a delay',
      { body: 'a', groupId: 'x', deduplicationId: 'x', delaySeconds: 1 },
      'not valid for this queue type',
    ],
  ])('rejects %s', (_what, input, text) => {
    expect(() => queueWith(fifo).queue.send(input)).toThrow(text);
  });
});

describe('a queue with a journal', () => {
  it('has its messages after the process died, those in flight as well, and no deleted one', () => {
    const { open } = journalFile();
    const { queue, receive } = queueWith({}, open());
    for (const body of ['a', 'b', 'c'])
      queue.send({ body, attributes: { n: { DataType: 'Number', StringValue: '1' } } });
    const [first] = receive(2);
    queue.delete(first?.receiptHandle ?? '');
    const again = queueWith({}, open());
    expect(again.queue.messages()).toMatchObject([
      { body: 'b', attributes: { n: { StringValue: '1' } } },
      { body: 'c' },
    ]);
    expect(again.bodies()).toEqual(['b', 'c']);
  });

  it('delays a message until its time, whenever the process died', async () => {
    const { open } = journalFile();
    const { clock, queue } = queueWith({}, open());
    await clock.advance(60_000);
    queue.send({ body: 'later', delaySeconds: 900 });
    const again = queueWith({}, open());
    await again.clock.advance(950_000);
    expect(again.bodies()).toEqual([]);
    await again.clock.advance(20_000);
    expect(again.bodies()).toEqual(['later']);
  });

  it('keeps dead letters', () => {
    const { open } = journalFile();
    const { queue, receive } = queueWith({ redrive: { dlqArn, maxReceiveCount: 1 } }, open());
    queue.send({ body: 'bad' });
    queue.changeVisibility(only(receive()).receiptHandle, 0);
    expect(receive()).toEqual([]);
    const again = queueWith({ redrive: { dlqArn, maxReceiveCount: 1 } }, open());
    expect(again.queue.messages()).toEqual([]);
    expect(again.dead.messages().map(({ body }) => body)).toEqual(['bad']);
  });

  it('keeps the order of groups, and goes on with the sequence numbers', () => {
    const { open } = journalFile();
    const { queue } = queueWith(fifo, open());
    for (const body of ['1', '2', '3']) queue.send(message(body, 'a'));
    const again = queueWith(fifo, open());
    const { sequenceNumber = '' } = again.queue.send(message('4', 'a'));
    const numbers = again.queue.messages().map((each) => each.sequenceNumber ?? '');
    expect(numbers.toSorted()).toEqual(numbers);
    expect(new Set(numbers).size).toBe(4);
    expect(numbers.at(-1)).toBe(sequenceNumber);
    expect(again.bodies()).toEqual(['1', '2', '3', '4']);
  });
});
