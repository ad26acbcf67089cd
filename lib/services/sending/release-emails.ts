/**
 * Release of emails from the lanes of their region into `send-mail`, at the sending rate of the region
 * (docs/decisions/0037-send-slots.md).
 */
import { now } from '../../adapters/clock.ts';
import { sendAll, sendToQueue } from '../../adapters/queues.ts';
import { valuesOf } from '../../core/all-done.ts';
import type { ReleaseMail } from '../../core/queue-messages.ts';
import { delaySecondsUntil, reserveSlots } from './send-slots.ts';
import { sendMailMessage } from './submission-messages.ts';

/**
 * Gives slots to the first emails of one region and sends these to `send-mail`.
 *
 * @returns how many of `emails` were released, and when the next one is to be tried; Unix milliseconds
 */
export async function releaseEmails(
  region: string,
  emails: readonly ReleaseMail[],
): Promise<{ readonly released: number; readonly askAgainAt: number }> {
  const { slots, askAgainAt } = await reserveSlots(
    region,
    emails.map(({ recipients }) => Math.max(1, recipients)),
  );
  const sendings = slots.flatMap((slot, index) => {
    const email = emails[index];
    if (!email) return [];
    const { workspaceId, emailId, chunk, recipients } = email;
    const message = sendMailMessage(workspaceId, emailId, chunk, { region, at: slot.at, recipients });
    return [{ message, deduplicationId: '', delaySeconds: delaySecondsUntil(slot.time) }];
  });
  valuesOf(await sendAll(sendings));
  return { released: slots.length, askAgainAt };
}

/** Sends an email to the end of its lane. */
export async function putInLane(email: ReleaseMail): Promise<void> {
  await sendToQueue(email, `${email.emailId}-${email.chunk ?? ''}-${now()}`);
}
