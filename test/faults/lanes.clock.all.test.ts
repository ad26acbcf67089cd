import { SendMessageCommand } from '@aws-sdk/client-sqs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { env } from '../../lib/env.ts';
import { changeSendLimiter } from '../../lib/storage/sending/send-limiters.ts';
import { cloud } from '../support/cloud.ts';
import {
  addresses,
  clearFaults,
  copiesOf,
  inject,
  newSender,
  sqsClient,
  untilDone,
  waitingQueues,
} from './kit.ts';

const people = (count: number) => addresses(crypto.randomUUID().slice(0, 8), count);

/** Others wait in lanes until then, so that no new email is released at once; Unix milliseconds. */
const othersWait = (waitingUntil: number) =>
  changeSendLimiter('us-east-1', (limiter) => ({ limiter: { ...limiter, waitingUntil }, result: null }));

beforeEach(() => othersWait(Number.MAX_SAFE_INTEGER));
afterEach(async () => {
  await clearFaults();
  await othersWait(0);
});

/** Sends a body to the lane of a workspace, before everything that comes later. */
async function putInLane(workspaceId: string, body: string): Promise<void> {
  const urls = env().QUEUE_URLS;
  await sqsClient().send(
    new SendMessageCommand({
      QueueUrl: urls.outgoing,
      MessageBody: body,
      MessageGroupId: `us-east-1:${workspaceId}`,
      MessageDeduplicationId: crypto.randomUUID(),
    }),
  );
}

describe('a lane', () => {
  it('passes a message that nobody can read on to the dead letters of send-mail, and delays no email', async () => {
    const sender = await newSender();
    // Other files leave dead letters in this cloud.
    const deadLetters = async () => (await waitingQueues())['parley-mail-dead-letters'] ?? 0;
    const before = await deadLetters();
    await putInLane(sender.own.id, '{"kind":"release-mail","v":9}');
    const to = people(1);
    const { id } = await sender.send(to);
    await cloud().waitForQuiescence();
    expect(await copiesOf(id)).toEqual(new Map([[to[0], 1]]));
    await untilDone(720);
    expect(await deadLetters()).toBe(before + 1);
  });

  it('submits every email once when release-mail is killed at any call', async () => {
    const sender = await newSender();
    const sent: [string, string][] = [];
    for (const [kind, skip] of [
      ['kill-before', 0],
      ['kill-after', 0],
      ['kill-after', 1],
      ['kill-after', 2],
    ] as const) {
      const [to = ''] = people(1);
      await inject({ principal: 'parley-worker-release-mail', kind, skip });
      sent.push([(await sender.send([to])).id, to]);
      // The message of a worker that was killed keeps its lane until it comes again.
      await untilDone();
      expect(await cloud().control('GET', '/faults')).toEqual({ data: [] });
    }
    for (const [id, to] of sent) expect(await copiesOf(id)).toEqual(new Map([[to, 1]]));
  });
});
