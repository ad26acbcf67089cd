/** When a message goes out: now, by an SQS delay, or by a schedule. The table says what is true; timers are hints. */
import { now } from '../../adapters/clock.ts';
import { delaySecondsMax, sendDelayed, sendToQueue } from '../../adapters/queues.ts';
import { createSchedule } from '../../adapters/schedules.ts';
import type { OutboxMessage } from '../../core/queue-messages.ts';

/**
 * Sends what is outboxMessage, or arms the timer for it. Safe to repeat: at worst a message arrives twice.
 *
 * @param name names this piece of work across repetitions; at most 60 characters of `[0-9a-zA-Z-_.]`
 */
export async function scheduleMessage(outboxMessage: OutboxMessage, name: string): Promise<void> {
  const { message, dueAt } = outboxMessage;
  const waitSeconds = dueAt === undefined ? 0 : Math.ceil((dueAt - now()) / 1000);
  if (dueAt === undefined || waitSeconds <= 0) return await sendToQueue(message, name);
  if (waitSeconds <= delaySecondsMax) return await sendDelayed({ message, dueAt }, waitSeconds);
  await createSchedule(name, { message, dueAt });
}
