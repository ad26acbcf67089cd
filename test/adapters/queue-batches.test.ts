import type { BatchResultErrorEntry } from '@aws-sdk/client-sqs';
import { describe, expect, it } from 'vitest';
import { newId } from '../../lib/adapters/ids.ts';
import { type BatchEntry, type Sending, sendInBatches } from '../../lib/adapters/queue-batches.ts';

const workspaceId = newId('wks');

const mail = (number: number): Sending => ({
  message: { kind: 'pace-mail', v: 1, workspaceId, wakeAt: null },
  deduplicationId: `${number}`,
});
/** A message of 400 KB. */
const large = (number: number): Sending => ({
  message: {
    kind: 'release-mail',
    v: 1,
    workspaceId,
    emailId: newId('eml'),
    chunk: null,
    region: 'x'.repeat(400_000),
    recipients: 1,
  },
  deduplicationId: `${number}`,
});

const ids = (entries: readonly BatchEntry[]) => entries.map(({ sending }) => sending.deduplicationId);

/** Sends messages to a queue that answers each call with the next of `answers`. */
async function send(
  sendings: readonly Sending[],
  answers: readonly ((entries: readonly BatchEntry[]) => readonly BatchResultErrorEntry[])[] = [],
) {
  const calls: [string, readonly string[]][] = [];
  const results = await sendInBatches(sendings, async (queue, entries) => {
    calls.push([queue, ids(entries)]);
    return answers[calls.length - 1]?.(entries) ?? [];
  });
  return { calls, results: results.map((one) => (one.status === 'rejected' ? `${one.reason}` : 'sent')) };
}

const throttled = (...of: readonly number[]) =>
  of.map((at) => ({ Id: `${at}`, Code: 'ThrottlingException', SenderFault: false }));

describe('sendInBatches', () => {
  it('makes no call when there is no message', async () => {
    expect(await send([])).toEqual({ calls: [], results: [] });
  });

  it('sends ten messages of a queue in a call, in their order', async () => {
    const { calls, results } = await send(Array.from({ length: 23 }, (_, number) => mail(number)));
    expect(calls.map(([queue, of]) => [queue, of.length])).toEqual([
      ['pacing', 10],
      ['pacing', 10],
      ['pacing', 3],
    ]);
    expect(calls.flatMap(([, of]) => of)).toEqual(Array.from({ length: 23 }, (_, number) => `${number}`));
    expect(new Set(results)).toEqual(new Set(['sent']));
  });

  it('sends at most 1 MiB in a call', async () => {
    const { calls } = await send([large(0), large(1), large(2)]);
    expect(calls.map(([, of]) => of)).toEqual([['0', '1'], ['2']]);
  });

  it('makes calls of their own for each queue', async () => {
    const { calls } = await send([mail(0), large(1), mail(2)]);
    expect(calls).toEqual([
      ['pacing', ['0', '2']],
      ['outgoing', ['1']],
    ]);
  });

  it('sends again what SQS did not take, and nothing else', async () => {
    const { calls, results } = await send(
      [mail(0), mail(1), mail(2)],
      [() => throttled(0, 2), () => throttled(1)],
    );
    expect(calls.map(([, of]) => of)).toEqual([['0', '1', '2'], ['0', '2'], ['2']]);
    expect(results).toEqual(['sent', 'sent', 'sent']);
  });

  it('fails the message alone that SQS does not take in three calls, or that is not valid', async () => {
    const again = () => throttled(0);
    const invalid = () => [{ Id: '1', Code: 'InvalidMessageContents', SenderFault: true }, ...again()];
    const { calls, results } = await send([mail(0), mail(1), mail(2)], [invalid, again, again]);
    expect(calls.map(([, of]) => of)).toEqual([['0', '1', '2'], ['0'], ['0']]);
    expect(results).toEqual([
      'Error: SQS did not take a message: ThrottlingException',
      'Error: SQS did not take a message: InvalidMessageContents',
      'sent',
    ]);
  });

  it('fails the messages of a call that fails, and no others', async () => {
    const failing = () => {
      throw new Error('no connection');
    };
    const { results } = await send(
      Array.from({ length: 12 }, (_, number) => mail(number)),
      [failing],
    );
    expect(results).toEqual([...Array(10).fill('Error: no connection'), 'sent', 'sent']);
  });
});
