/** What follows the adoption of a restored table: its messages, received mail, and what failed while there was no table. */
import { redriveDeadLetters, redriveSources } from '../../adapters/dead-letters.ts';
import { getObject } from '../../adapters/objects.ts';
import { sendUnknown } from '../../adapters/queues.ts';
import { parseMime } from '../../mail/message/parse-mime.ts';
import { type ReplayProgress, replayOutbox } from '../queues/replay-outbox.ts';
import { receivedSince } from './received-since.ts';
import type { ReconcileOptions } from './reconcile.ts';
import { recoveredNotification } from './recovered-notification.ts';

/** Messages of changes that were still on their way at the restored time: longer than any of our queues is behind on a good day. */
export const backlogMs = 60 * 60_000;
/** Bytes of a message that are read for its headers. */
const headerBytesMax = 128 * 1024;

export interface Replay {
  readonly outbox: ReplayProgress;
  /** Messages that were received since and are received again; the table knows those that it has. */
  readonly received: number;
  /** Messages without a known recipient, by their key: several, all of them in Bcc. */
  readonly unaddressed: readonly string[];
  readonly dead_letters: number;
}

/**
 * Everything here may be repeated: consumers are idempotent.
 *
 * @param restoredTo Unix milliseconds
 */
export async function replayAfterRestore(
  {
    restoredTo,
    now,
    lostRegion,
    isDryRun,
  }: Pick<ReconcileOptions, 'restoredTo' | 'lostRegion' | 'isDryRun'> & { readonly now: number },
  report: (progress: ReplayProgress) => void,
): Promise<Replay> {
  // First: what comes after it finds suppressions and domains as they were.
  const outbox = await replayOutbox({ sinceMs: restoredTo - backlogMs, untilMs: now }, { isDryRun }, report);
  const unaddressed: string[] = [];
  let received = 0;
  for await (const raw of receivedSince(restoredTo - backlogMs, lostRegion)) {
    const notification = recoveredNotification(await parseMime(await getObject(raw, headerBytesMax)), raw);
    if (notification === null) unaddressed.push(raw.key);
    else {
      if (!isDryRun) await sendUnknown('inbound', notification);
      received += 1;
    }
  }
  let deadLetters = 0;
  for (const source of isDryRun ? [] : redriveSources) deadLetters += await redriveDeadLetters(source);
  return { outbox, received, unaddressed, dead_letters: deadLetters };
}
