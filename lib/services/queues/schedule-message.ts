/** Sends messages now, through the delay queue, or by a one-time schedule (docs/decisions/0018-delays.md). */
import { now } from '../../adapters/clock.ts';
import { sendAll, sendDelayed } from '../../adapters/queues.ts';
import { createSchedule } from '../../adapters/schedules.ts';
import { delaySecondsMax, type OutboxMessage } from '../../core/queue-messages.ts';

/** A message to be sent when it is due. */
export interface ScheduledMessage extends OutboxMessage {
  /** Identifies the message across repetitions; at most 60 characters of `[0-9a-zA-Z-_.]`. */
  readonly name: string;
  /** Its message group, where it is not that of `queueOf`. */
  readonly group?: string;
}

/**
 * Sends messages when they are due: those of one queue that are due in one call. The results are in the order of `messages`. Repeated, it
 * may send a message twice; consumers are idempotent. For the relay: a worker that continues itself commits its message, so that
 * the stream of the table begins a new chain of requests (docs/decisions/0065-chains-end-at-the-outbox.md).
 */
export async function scheduleMessages(
  messages: readonly ScheduledMessage[],
): Promise<readonly PromiseSettledResult<void>[]> {
  const at = now();
  const isDue = ({ dueAt }: ScheduledMessage) => dueAt === undefined || dueAt <= at;
  const due = messages.filter(isDue);
  const later = messages.filter((message) => !isDue(message));
  const [sent, delayed] = await Promise.all([
    sendAll(
      due.map(({ message, name, group }) => ({ message, deduplicationId: name, ...(group && { group }) })),
    ),
    Promise.allSettled(later.map((message) => delay(message, at))),
  ]);
  const results = new Map([
    ...due.map((message, of) => [message, sent[of]] as const),
    ...later.map((message, of) => [message, delayed[of]] as const),
  ]);
  return messages.flatMap((message) => results.get(message) ?? []);
}

async function delay({ message, dueAt = 0, name }: ScheduledMessage, at: number): Promise<void> {
  const waitSeconds = Math.ceil((dueAt - at) / 1000);
  if (waitSeconds <= delaySecondsMax) return await sendDelayed({ message, dueAt }, waitSeconds);
  await createSchedule(name, { message, dueAt });
}
