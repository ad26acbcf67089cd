/** Sends a message now, through the delay queue, or by a one-time schedule (docs/decisions/0018-delays.md). */
import { now } from '../../adapters/clock.ts';
import { sendDelayed, sendToQueue } from '../../adapters/queues.ts';
import { createSchedule } from '../../adapters/schedules.ts';
import { delaySecondsMax, type OutboxMessage } from '../../core/queue-messages.ts';

/**
 * Sends a message when it is due. Repeated, it may send the message twice; consumers are idempotent.
 *
 * @param name identifies the message across repetitions; at most 60 characters of `[0-9a-zA-Z-_.]`
 */
export async function scheduleMessage({ message, dueAt }: OutboxMessage, name: string): Promise<void> {
  const waitSeconds = dueAt === undefined ? 0 : Math.ceil((dueAt - now()) / 1000);
  if (dueAt === undefined || waitSeconds <= 0) return await sendToQueue(message, name);
  if (waitSeconds <= delaySecondsMax) return await sendDelayed({ message, dueAt }, waitSeconds);
  await createSchedule(name, { message, dueAt });
}
