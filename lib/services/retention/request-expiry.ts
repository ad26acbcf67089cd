/** Once an hour the sweep has the workspaces' old mail deleted (docs/concepts/deletion.md#retention). */
import { now } from '../../adapters/clock.ts';
import { sendAll } from '../../adapters/queues.ts';
import { valuesOf } from '../../core/work/all-done.ts';
import { env } from '../../env.ts';
import { listRetentions, takeHour } from '../../storage/workspaces/retention.ts';

const hourMs = 3_600_000;
/** Messages whose calls are made at the same time. */
const sentAtOnce = 500;

/** Asks for the deletion of old mail, the first run of each hour. One that fails after it is made up for by the next hour's. */
export async function requestExpiry(): Promise<void> {
  const hour = Math.floor(now() / hourMs);
  if (!(await takeHour(hour))) return;
  const until = (hour + 1) * hourMs;
  const expiring = (await listRetentions()).filter(
    ({ mailDays }) => (mailDays ?? env().MAIL_RETENTION_DAYS) > 0,
  );
  for (let start = 0; start < expiring.length; start += sentAtOnce) {
    const messages = expiring
      .slice(start, start + sentAtOnce)
      .map(
        ({ id: workspaceId }) => ({ kind: 'expire-mail', v: 1, workspaceId, after: null, until }) as const,
      );
    valuesOf(await sendAll(messages.map((message) => ({ message, deduplicationId: '' }))));
  }
}
