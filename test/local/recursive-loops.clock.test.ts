/** Recursive-loop detection, from the bundle of a function to the dead-letter queue; on a cloud of its own, since no other test may have such a loop. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { newId } from '../../lib/adapters/ids.ts';
import type { DelayedMessage } from '../../lib/core/queue-messages.ts';
import { newSkew } from '../../lib/local/clock.ts';
import { type Cloud, startCloud } from '../../lib/local/cloud.ts';
import { traceOf } from '../../lib/local/lineage.ts';

let cloud: Cloud;

beforeAll(async () => {
  cloud = await startCloud({
    clockSkew: newSkew(),
  });
});
afterAll(() => cloud.close());

const delayed: DelayedMessage = {
  message: {
    kind: 'publish-event',
    v: 1,
    workspaceId: newId('wks'),
    eventId: newId('evt'),
    type: 'email.sent',
    at: 0,
    subject: { emailId: newId('eml') },
  },
  dueAt: 0,
};

/** The trace header of the last invocation of a function that Lambda allows in one chain. */
function lastTraceOf(functionName: string): string {
  const arn = `arn:aws:lambda:us-east-1:111111111111:function:${functionName}`;
  let trace: string | null = null;
  for (let next: string | null = ''; next !== null; next = traceOf(arn, trace ? [trace] : [])) trace = next;
  return trace ?? '';
}

it('a message of a function that was invoked 16 times in its chain ends in the dead-letter queue, whichever function forwards it', async () => {
  const traceHeader = lastTraceOf('parley-worker-publish-event');
  cloud.sqs.send('parley-delays', { body: JSON.stringify(delayed), traceHeader });
  await cloud.settle();
  expect(cloud.recursiveInvocationsDropped()).toEqual({ 'parley-worker-publish-event': 1 });
  await cloud.clock.advance(3_600_000);
  const [dead, ...more] = cloud.sqs.messages('parley-events-dead-letters');
  expect([JSON.parse(dead?.body ?? ''), more]).toEqual([delayed.message, []]);
  const { redrive } = cloud.sqs.queue('parley-events').settings;
  expect(cloud.recursiveInvocationsDropped()).toEqual({
    'parley-worker-publish-event': redrive?.maxReceiveCount,
  });
});

it('a message without a chain is processed', async () => {
  const before = cloud.recursiveInvocationsDropped();
  cloud.sqs.send('parley-delays', { body: JSON.stringify(delayed) });
  await cloud.settle();
  expect(cloud.sqs.queue('parley-events').depth()).toEqual({ visible: 0, inFlight: 0, delayed: 0 });
  expect(cloud.recursiveInvocationsDropped()).toEqual(before);
});
