/**
 * Release of emails into `send-mail`, at the sending rate of their region: from its lanes, or at once where nobody waits there
 * (docs/decisions/0037-send-slots.md).
 */
import { sendAll } from '../../adapters/queues.ts';
import { queueOf, type ReleaseMail } from '../../core/queue-messages.ts';
import { isAboveSandbox, lanesAt } from '../../core/sending/send-limiter.ts';
import { valuesOf } from '../../core/work/all-done.ts';
import { shardOf } from '../../storage/table/time-index.ts';
import { commit } from '../../storage/table/transactions.ts';
import type { Relayed } from '../queues/relay-outbox.ts';
import { delaySecondsUntil, type ReservedSlot, reserveNow, reserveSlots } from './send-slots.ts';
import { sendMailMessage } from './submission-messages.ts';

/**
 * Gives slots to the first emails of the lanes of one region and sends these to `send-mail`.
 *
 * @param waitMs how long the others wait, by the time at which they may ask again
 * @returns how many of `emails` were released, and when the next one is to be tried; Unix milliseconds
 */
export async function releaseEmails(
  region: string,
  emails: readonly ReleaseMail[],
  waitMs: (askAgainAt: number) => number,
): Promise<{ readonly released: number; readonly askAgainAt: number }> {
  const { slots, askAgainAt } = await reserveSlots(region, emails.map(costOf), waitMs);
  await sendInSlots(region, emails, slots);
  return { released: slots.length, askAgainAt };
}

/**
 * Sends new emails to `send-mail` that need not wait in their lanes.
 *
 * @returns whether each was sent, or which of several lanes it waits in, in the order of `emails`; rejected where that is unknown
 */
export async function releaseAtOnce(
  emails: readonly ReleaseMail[],
): Promise<readonly PromiseSettledResult<Relayed>[]> {
  const released = new Map(
    [...Map.groupBy(emails, ({ region }) => region)].map(([region, all]) => [
      region,
      releaseNow(region, all),
    ]),
  );
  return await Promise.allSettled(
    emails.map(async (email) => {
      const { sent, ratePerSecond } = (await released.get(email.region)) ?? notReleased;
      return sent.has(email) || laneOf(email, ratePerSecond);
    }),
  );
}

interface ReleasedNow {
  readonly sent: ReadonlySet<ReleaseMail>;
  /** Of the region's slots. */
  readonly ratePerSecond: number;
}

const notReleased: ReleasedNow = { sent: new Set(), ratePerSecond: 0 };

/** Those of the emails of one region that were sent. */
async function releaseNow(region: string, emails: readonly ReleaseMail[]): Promise<ReleasedNow> {
  let ratePerSecond = 0;
  const slots = await reserveNow(region, emails.map(costOf), (limiter) => {
    ratePerSecond = limiter.ratePerSecond;
    // Lanes ask SES for a rate that is not known; the sandbox gives a slot in a second and a half.
    return isAboveSandbox(limiter);
  });
  await sendInSlots(region, emails, slots);
  return { sent: new Set(emails.slice(0, slots.length)), ratePerSecond };
}

/** The message group of an email that waits, where its workspace has several lanes in a region; false: the one that `queueOf` names. */
function laneOf(email: ReleaseMail, ratePerSecond: number): Relayed {
  const lane = shardOf(email.emailId, lanesAt(ratePerSecond));
  return lane > 0 && { group: `${queueOf(email).group}:${lane}` };
}

const costOf = ({ recipients }: ReleaseMail): number => Math.max(1, recipients);

/** Sends the first emails to `send-mail`, as many as have slots. */
async function sendInSlots(
  region: string,
  emails: readonly ReleaseMail[],
  slots: readonly ReservedSlot[],
): Promise<void> {
  const sendings = slots.flatMap((slot, index) => {
    const email = emails[index];
    if (!email) return [];
    const { workspaceId, emailId, chunk, recipients } = email;
    const message = sendMailMessage(workspaceId, emailId, chunk, { region, at: slot.at, recipients });
    return [{ message, deduplicationId: '', delaySeconds: delaySecondsUntil(slot.time) }];
  });
  valuesOf(await sendAll(sendings));
}

/** Sends an email to the end of its lane; through the outbox, as the worker of the lanes calls this. */
export async function putInLane(email: ReleaseMail): Promise<void> {
  await commit(email.workspaceId, [], [{ message: email }]);
}
