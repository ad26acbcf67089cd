/** The deletion of mail that is older than its workspace keeps it (docs/concepts/deletion.md#retention). */
import { now, stopwatch } from '../../adapters/clock.ts';
import { idTime, parseId } from '../../core/ids.ts';
import type { ExpireMail } from '../../core/queue-messages.ts';
import { allDone } from '../../core/work/all-done.ts';
import { env } from '../../env.ts';
import { commit } from '../../storage/table/transactions.ts';
import { listEmailsToRemove } from '../../storage/teardown/teardown-emails.ts';
import { findMailDays } from '../../storage/workspaces/retention.ts';
import { deleteEmailsOfThread } from '../teardown/delete-mail.ts';

const dayMs = 24 * 3_600_000;
/** A message starts no page after this time; the function has three times as much. */
const stepMs = 20_000;
const pageSize = 50;

/**
 * Processes an `expire-mail` message: deletes the oldest emails until none is left that is too old, or the time is over, and
 * continues itself then. Emails in progress are left out. Idempotent.
 */
export async function expireMail(message: ExpireMail): Promise<void> {
  const { workspaceId, until } = message;
  const days = (await findMailDays(workspaceId)) ?? env().MAIL_RETENTION_DAYS;
  if (days === 0) return;
  const keptSince = now() - days * dayMs;
  const elapsedMs = stopwatch();
  let { after } = message;
  while (now() < until) {
    if (elapsedMs() > stepMs) return await commit(workspaceId, [], [{ message: { ...message, after } }]);
    const page = await listEmailsToRemove(workspaceId, 'workspace', { limit: pageSize, after });
    const old = page.items.filter(({ createdAt }) => createdAt < keptSince);
    await allDone(
      [...Map.groupBy(old, ({ threadId }) => threadId)].map(([threadId, heads]) =>
        deleteEmailsOfThread(
          workspaceId,
          threadId,
          heads.map(({ id }) => id),
          { takesScheduled: false },
        ),
      ),
    );
    after = page.next === null ? null : parseId('eml', page.next);
    if (after === null || idTime(after) >= keptSince) return;
  }
}
