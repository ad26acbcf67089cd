/** When a message goes out: now, by an SQS delay, or by a schedule. The table says what is true; timers are hints. */
import { now } from '../adapters/clock.ts';
import { delaySecondsMax, enqueue, enqueueWaiting } from '../adapters/queues.ts';
import { schedule } from '../adapters/schedules.ts';
import type { Owed } from '../domain/messages.ts';

/**
 * Sends what is owed, or arms the timer for it. Safe to repeat: at worst a message arrives twice.
 *
 * @param name names this piece of work across repetitions; at most 60 characters of `[0-9a-zA-Z-_.]`
 */
export async function dispatch(owed: Owed, name: string): Promise<void> {
  const { message, dueAt } = owed;
  const waitSeconds = dueAt === undefined ? 0 : Math.ceil((dueAt - now()) / 1000);
  if (dueAt === undefined || waitSeconds <= 0) return await enqueue(message, name);
  if (waitSeconds <= delaySecondsMax) return await enqueueWaiting({ message, dueAt }, waitSeconds);
  await schedule(name, { message, dueAt });
}
