/** Once an hour the sweep has the workspaces' old mail deleted (docs/concepts/deletion.md#retention). */
import { now } from '../../adapters/clock.ts';
import { sendToQueue } from '../../adapters/queues.ts';
import { env } from '../../env.ts';
import { listRetentions, takeHour } from '../../storage/workspaces/retention.ts';

const hourMs = 3_600_000;
const sentAtOnce = 50;

/** Asks for the deletion of old mail, the first run of each hour. One that fails after it is made up for by the next hour's. */
export async function requestExpiry(): Promise<void> {
  const hour = Math.floor(now() / hourMs);
  if (!(await takeHour(hour))) return;
  const until = (hour + 1) * hourMs;
  const expiring = (await listRetentions()).filter(
    ({ mailDays }) => (mailDays ?? env().MAIL_RETENTION_DAYS) > 0,
  );
  for (let start = 0; start < expiring.length; start += sentAtOnce) {
    const some = expiring.slice(start, start + sentAtOnce);
    await Promise.all(
      some.map(({ id: workspaceId }) =>
        sendToQueue({ kind: 'expire-mail', v: 1, workspaceId, after: null, until }, ''),
      ),
    );
  }
}
