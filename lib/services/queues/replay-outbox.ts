/** Sends the messages of past changes again, for the operator's command line. */
import { type OutboxRange, scanOutbox } from '../../storage/table/outbox.ts';
import { sendMessages } from './relay-outbox.ts';

/** How far a replay is. */
export interface ReplayProgress {
  /** Items of the table that were read. */
  readonly scanned: number;
  /** Changes within the time whose messages were sent, or would be. */
  readonly sent: number;
  /** Changes whose messages cannot be read or sent. */
  readonly failed: number;
}

/** Changes whose messages are sent at the same time. */
const atOnce = 20;

/**
 * Sends the messages of all changes within a time; consumers are idempotent, so that those which were relayed change
 * nothing. A failure does not stop the others.
 *
 * @param options.isDryRun counts them only
 * @param report is told after each page of the table
 */
export async function replayOutbox(
  range: OutboxRange,
  { isDryRun }: { readonly isDryRun: boolean },
  report: (progress: ReplayProgress) => void,
): Promise<ReplayProgress> {
  let progress: ReplayProgress = { scanned: 0, sent: 0, failed: 0 };
  for await (const { scanned, found, unreadable } of scanOutbox(range)) {
    let failed = unreadable;
    for (let at = 0; !isDryRun && at < found.length; at += atOnce) {
      const results = await sendMessages(found.slice(at, at + atOnce));
      failed += results.filter(({ status }) => status === 'rejected').length;
    }
    progress = {
      scanned: progress.scanned + scanned,
      sent: progress.sent + found.length + unreadable - failed,
      failed: progress.failed + failed,
    };
    report(progress);
  }
  return progress;
}
