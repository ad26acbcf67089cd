/** The handler of the lanes' queue: emails that get no slot stay in their lane, in order. */

import type { SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import { now } from '../../adapters/clock.ts';
import { sendUnknown } from '../../adapters/queues.ts';
import { random } from '../../adapters/random.ts';
import type { ReleaseMail } from '../../core/queue-messages.ts';
import { laneWaitSeconds } from '../../core/sending/send-limiter.ts';
import { allDone } from '../../core/work/all-done.ts';
import { retryDelaySeconds } from '../../core/work/retry-backoff.ts';
import { UnknownMessage } from '../../core/work/unknown-message.ts';
import { observeQueueToDone, withMetrics } from '../../observability/count.ts';
import { describeError, logEvent } from '../../observability/log.ts';
import { deliverAgain, queueNameOf, receivesOf, retryThroughSqs } from '../queues/consume.ts';
import { putInLane, releaseEmails } from './release-emails.ts';

interface Waiting {
  readonly record: SQSRecord;
  readonly email: ReleaseMail;
}

/** A message that is delivered again after `seconds`. */
interface Kept {
  readonly record: SQSRecord;
  readonly seconds: number;
}

/** SQS drops messages after 14 days; an email that waits this long is put into its lane anew. */
const renewedAfterMs = 12 * 86_400_000;
/** The wait for a slot varies by up to this much, so that the lanes of a region do not ask at the same time. */
const jitterMs = 1000;

/** A Lambda handler for batches of the lanes' queue, by region. @param parse throws UnknownMessage */
export function consumeLanes(
  parse: (body: string) => ReleaseMail,
): (event: SQSEvent) => Promise<SQSBatchResponse> {
  return ({ Records: records }) =>
    withMetrics(async () => {
      const waiting: Waiting[] = [];
      const kept: Kept[] = [];
      for (const record of records) {
        await keptOnFailure(kept, [record], async () => {
          const email = await readWaiting(record, parse);
          if (email) waiting.push({ record, email });
          return [];
        });
      }
      const regions = Map.groupBy(waiting, ({ email }) => email.region);
      await allDone(
        [...regions].map(([region, all]) =>
          keptOnFailure(
            kept,
            all.map(({ record }) => record),
            () => releaseRegion(region, all),
          ),
        ),
      );
      await Promise.all(kept.map(({ record, seconds }) => deliverAgain(record, seconds, retryThroughSqs)));
      return { batchItemFailures: kept.map(({ record }) => ({ itemIdentifier: record.messageId })) };
    });
}

/** The email of a message; null for one that was passed on. */
async function readWaiting(
  record: SQSRecord,
  parse: (body: string) => ReleaseMail,
): Promise<ReleaseMail | null> {
  try {
    const email = parse(record.body);
    if (Number(record.attributes.SentTimestamp) > now() - renewedAfterMs) return email;
    await putInLane(email);
  } catch (error) {
    if (!(error instanceof UnknownMessage)) throw error;
    // In this queue it would block its lane for days.
    await sendUnknown('mail', record.body);
  }
  return null;
}

async function releaseRegion(region: string, waiting: readonly Waiting[]): Promise<readonly Kept[]> {
  const receives = Math.max(...waiting.map(({ record }) => receivesOf(record)));
  const { released, askAgainAt } = await releaseEmails(
    region,
    waiting.map(({ email }) => email),
    (at) => laneWaitSeconds(at - now() + jitterMs, receives) * 1000,
  );
  for (const { record } of waiting.slice(0, released)) {
    observeQueueToDone(queueNameOf(record), now() - Number(record.attributes.SentTimestamp));
  }
  const waitMs = askAgainAt - now() + random() * jitterMs;
  return waiting
    .slice(released)
    .map(({ record }) => ({ record, seconds: laneWaitSeconds(waitMs, receivesOf(record)) }));
}

/** Adds to `kept` what `work` keeps, or all of `records` where it throws. */
async function keptOnFailure(
  kept: Kept[],
  records: readonly SQSRecord[],
  work: () => Promise<readonly Kept[]>,
): Promise<void> {
  try {
    kept.push(...(await work()));
  } catch (error) {
    for (const record of records) {
      const receives = receivesOf(record);
      logEvent('queue.message_failed', {
        queue: queueNameOf(record),
        message_id: record.messageId,
        receives,
        error: describeError(error),
      });
      kept.push({ record, seconds: retryDelaySeconds(receives, random()) });
    }
  }
}
