/** Messages in batches: as few calls as SQS allows, each message with a result of its own. */
import type { BatchResultErrorEntry } from '@aws-sdk/client-sqs';
import { type QueueMessage, queueOf } from '../core/queue-messages.ts';
import { pause } from './clock.ts';
import { random } from './random.ts';

/** A message for its queue. */
export interface Sending {
  readonly message: QueueMessage;
  /** On FIFO queues: SQS drops a second message with the same id within five minutes. */
  readonly deduplicationId: string;
  /** On standard queues: 0 to 900. */
  readonly delaySeconds?: number;
  /** Its message group, where it is not that of `queueOf`. */
  readonly group?: string;
}

/** A message with its body. */
export interface BatchEntry {
  readonly sending: Sending;
  readonly body: string;
}

/** "SendMessageBatch" in the Amazon SQS API Reference. */
const batchMax = { messages: 10, bytes: 1024 * 1024 };
/** Calls for messages that SQS did not take for a reason of its own. */
const triesMax = 3;

/**
 * Sends messages in batches of one queue each, in their order. The results are in the order of `sendings`.
 *
 * @param call sends up to 10 messages of one queue, with their index as id, and returns those that SQS did not take
 */
export async function sendInBatches(
  sendings: readonly Sending[],
  call: (queue: string, entries: readonly BatchEntry[]) => Promise<readonly BatchResultErrorEntry[]>,
): Promise<readonly PromiseSettledResult<void>[]> {
  const failures = new Map<Sending, unknown>();
  const send = async (queue: string, batch: readonly BatchEntry[]) => {
    let open = batch;
    for (let tries = 1; open.length > 0; tries++) {
      if (tries > 1) await pause(random() * 100 * 2 ** tries);
      const refused = await call(queue, open);
      const again: BatchEntry[] = [];
      for (const { Id, Code, SenderFault } of refused) {
        const entry = open[Number(Id)];
        if (!entry) continue;
        if (SenderFault || tries === triesMax) {
          failures.set(entry.sending, new Error(`SQS did not take a message: ${Code}`));
        } else {
          again.push(entry);
        }
      }
      open = again;
    }
  };
  const byQueue = Map.groupBy(sendings, ({ message }) => queueOf(message).queue);
  await Promise.all(
    [...byQueue].flatMap(([queue, all]) =>
      batchesOf(all).map(async (batch) => {
        try {
          await send(queue, batch);
        } catch (error) {
          for (const { sending } of batch) failures.set(sending, error);
        }
      }),
    ),
  );
  return sendings.map((sending) =>
    failures.has(sending)
      ? { status: 'rejected', reason: failures.get(sending) }
      : { status: 'fulfilled', value: undefined },
  );
}

/** Batches within the bounds of a call. */
function batchesOf(sendings: readonly Sending[]): readonly BatchEntry[][] {
  const batches: BatchEntry[][] = [];
  let bytes = 0;
  for (const sending of sendings) {
    const body = JSON.stringify(sending.message);
    const length = Buffer.byteLength(body);
    const last = batches.at(-1);
    if (last && last.length < batchMax.messages && bytes + length <= batchMax.bytes) {
      last.push({ sending, body });
      bytes += length;
    } else {
      batches.push([{ sending, body }]);
      bytes = length;
    }
  }
  return batches;
}
