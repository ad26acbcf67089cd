/** The handler of every queue consumer: partial batch failures, FIFO order, backoff, one log event per failure. */

import type { SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import { now } from '../../adapters/clock.ts';
import { random } from '../../adapters/random.ts';
import { allDone } from '../../core/work/all-done.ts';
import { retryDelaySeconds } from '../../core/work/retry-backoff.ts';
import { UnknownMessage } from '../../core/work/unknown-message.ts';
import { observeQueueToDone, withMetrics } from '../../observability/count.ts';
import { describeError, logEvent } from '../../observability/log.ts';

type Work = (body: string, record: SQSRecord) => Promise<void>;

/** Makes SQS deliver a message again after `seconds`. */
export type Retry = (queue: string, receiptHandle: string, seconds: number) => Promise<void>;

/** Loaded with the first failure: most consumers send no messages, and the SQS client adds 26 KB to a bundle. */
export const retryThroughSqs: Retry = async (...args) => {
  const { retryMessage } = await import('../../adapters/queues.ts');
  await retryMessage(...args);
};

/**
 * A Lambda handler that calls `work` for each message of a batch. A message whose work throws is received again after a
 * backoff, and moves to the dead-letter queue in the end ("Handling errors for an SQS event source in Lambda"). `work`
 * must be idempotent.
 */
export function consume(
  work: Work,
  retry: Retry = retryThroughSqs,
): (event: SQSEvent) => Promise<SQSBatchResponse> {
  return consumeBatches(() => work, retry);
}

/** As `consume`. `begin` is called for each batch: its messages can share what is read after all of them were sent. */
export function consumeBatches(
  begin: () => Work,
  retry: Retry = retryThroughSqs,
): (event: SQSEvent) => Promise<SQSBatchResponse> {
  return eachGroup(() => {
    const work = begin();
    return (group) => processInOrder(group, work);
  }, retry);
}

/**
 * A handler of a FIFO queue whose messages of one group are processed together, in their order. Where `work` throws, all of
 * them are received again after a backoff. A message that `parse` refuses, and those behind it, are not processed.
 */
export function consumeGroups<Message>(
  parse: (body: string) => Message,
  work: (messages: readonly Message[]) => Promise<void>,
  retry: Retry = retryThroughSqs,
): (event: SQSEvent) => Promise<SQSBatchResponse> {
  const processTogether: GroupWork = async (group) => {
    const messages = readInOrder(group, parse);
    const read = group.slice(0, messages.length);
    try {
      await work(messages);
    } catch (error) {
      for (const record of read) reportFailure(record, error);
      return group;
    }
    for (const record of read) observeDone(record);
    return group.slice(read.length);
  };
  return eachGroup(() => processTogether, retry);
}

/** Processes the messages of a group. @returns those to deliver again */
type GroupWork = (group: readonly SQSRecord[]) => Promise<readonly SQSRecord[]>;

/** A handler that processes the groups of a batch at the same time. @param begin called for each batch */
function eachGroup(begin: () => GroupWork, retry: Retry): (event: SQSEvent) => Promise<SQSBatchResponse> {
  return ({ Records: records }) =>
    withMetrics(async () => {
      const process = begin();
      const groups = Object.values(Object.groupBy(records, groupOf));
      const failures = (await allDone(groups.map((group) => process(group ?? [])))).flat();
      await allDone(failures.map((record) => backOff(record, retry)));
      return { batchItemFailures: failures.map(({ messageId }) => ({ itemIdentifier: messageId })) };
    });
}

export function queueNameOf(record: SQSRecord): string {
  return record.eventSourceARN.split(':').at(-1) ?? '';
}

/** On FIFO queues a message group stays in order; on standard queues every message is a group of its own. */
function groupOf(record: SQSRecord): string {
  const isFifo = record.eventSourceARN.endsWith('.fifo');
  return (isFifo && record.attributes.MessageGroupId) || record.messageId;
}

/** The messages of a group up to the first one that is unknown. */
function readInOrder<Message>(
  group: readonly SQSRecord[],
  parse: (body: string) => Message,
): readonly Message[] {
  const messages: Message[] = [];
  for (const record of group) {
    try {
      messages.push(parse(record.body));
    } catch (error) {
      reportFailure(record, error);
      break;
    }
  }
  return messages;
}

/** The messages to deliver again: the failed one, and on FIFO queues all behind it. */
async function processInOrder(group: readonly SQSRecord[], work: Work): Promise<readonly SQSRecord[]> {
  for (const [at, record] of group.entries()) {
    try {
      await work(record.body, record);
      observeDone(record);
    } catch (error) {
      reportFailure(record, error);
      return group.slice(at);
    }
  }
  return [];
}

function observeDone(record: SQSRecord): void {
  observeQueueToDone(queueNameOf(record), now() - Number(record.attributes.SentTimestamp));
}

function reportFailure(record: SQSRecord, error: unknown): void {
  logEvent(error instanceof UnknownMessage ? 'queue.unknown_message' : 'queue.message_failed', {
    queue: queueNameOf(record),
    message_id: record.messageId,
    receives: receivesOf(record),
    error: describeError(error),
  });
}

/** The delay of a failed message; without one it waits for the visibility timeout, six times the timeout of the function. */
async function backOff(record: SQSRecord, retry: Retry): Promise<void> {
  await deliverAgain(record, retryDelaySeconds(receivesOf(record), random()), retry);
}

/** Makes SQS deliver a message again after `seconds`; a failure to do so is logged. */
export async function deliverAgain(record: SQSRecord, seconds: number, retry: Retry): Promise<void> {
  try {
    await retry(queueNameOf(record), record.receiptHandle, seconds);
  } catch (error) {
    logEvent('queue.backoff_not_set', {
      queue: queueNameOf(record),
      message_id: record.messageId,
      error: describeError(error),
    });
  }
}

/** How often a message was received, this time included. */
export function receivesOf(record: SQSRecord): number {
  return Number(record.attributes.ApproximateReceiveCount);
}
