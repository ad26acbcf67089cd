/**
 * Teardown of a deleted space, in steps of one queue message each (docs/decisions/0047-teardown-of-spaces.md). A step
 * removes pages of what it finds until its time is over; a step that is repeated after a crash finds what is left.
 */
import { now } from '../../adapters/clock.ts';
import type { SpaceId, WorkspaceId } from '../../core/ids.ts';
import type { Page, Paging } from '../../core/page.ts';
import type { DeleteSpace } from '../../core/queue-messages.ts';
import { afterPage, type Teardown, type TeardownPhase, teardownMessage } from '../../core/teardown.ts';
import { count } from '../../observability/count.ts';
import { logEvent } from '../../observability/log.ts';
import { listDomainsToRemove } from '../../storage/domains.ts';
import { listAllEndpoints } from '../../storage/endpoints.ts';
import { endTeardown, findTeardown, updateTeardown } from '../../storage/space-teardowns.ts';
import { listSuppressionsToRemove, removeSuppressions } from '../../storage/suppressions.ts';
import { listEmailsToRemove, removeEmail } from '../../storage/teardown-emails.ts';
import { listEventsToRemove, removeEvents } from '../../storage/teardown-events.ts';
import { listThreadEntries, removeThread } from '../../storage/teardown-threads.ts';
import { removeDomain } from '../domains/domains.ts';

/** A step starts no page after this time; the function has six times as much. */
const stepMs = 10_000;
/** A teardown that takes longer is reported. */
const lateMs = 24 * 3_600_000;

interface Scope {
  readonly workspaceId: WorkspaceId;
  readonly spaceId: SpaceId;
}

/** Removes one page; the number of records found, and the position of the next page. */
type RemovePage = (scope: Scope, after: string | null) => Promise<{ found: number; next: string | null }>;

const phases: Readonly<Record<TeardownPhase, RemovePage>> = {
  domains: removing(listDomainsToRemove, 25, ({ workspaceId }, domains) =>
    each(domains, 1, (domain) => removeDomain(workspaceId, domain)),
  ),
  // An email may have megabytes of content and thousands of files.
  emails: removing(listEmailsToRemove, 25, ({ workspaceId }, emails) =>
    each(emails, 4, (email) => removeEmail(workspaceId, email)),
  ),
  threads: removing(listThreadEntries, 100, ({ workspaceId }, entries) =>
    each(entries, 10, (entry) => removeThread(workspaceId, entry)),
  ),
  suppressions: removing(listSuppressionsToRemove, 500, ({ workspaceId }, suppressions) =>
    removeSuppressions(workspaceId, suppressions),
  ),
  events: removing(listEventsToRemove, 100, async ({ workspaceId }, ids) => {
    const endpoints = await listAllEndpoints(workspaceId);
    await removeEvents(
      workspaceId,
      ids,
      endpoints.map(({ id }) => id),
    );
  }),
};

/** @param pageSize records that are removed before the time of a step is looked at */
function removing<T>(
  list: (workspaceId: WorkspaceId, spaceId: SpaceId, paging: Paging) => Promise<Page<T>>,
  pageSize: number,
  remove: (scope: Scope, records: readonly T[]) => Promise<void>,
): RemovePage {
  return async (scope, after) => {
    const { items, next } = await list(scope.workspaceId, scope.spaceId, { limit: pageSize, after });
    await remove(scope, items);
    return { found: items.length, next };
  };
}

/** Works on `atOnce` records at the same time. */
async function each<T>(
  records: readonly T[],
  atOnce: number,
  work: (record: T) => Promise<void>,
): Promise<void> {
  const pending = records.values();
  const worker = async () => {
    for (const record of pending) await work(record);
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
}

/** Processes a `delete-space` message. Idempotent. */
export async function continueTeardown({ workspaceId, spaceId, step }: DeleteSpace): Promise<void> {
  const before = await findTeardown(workspaceId, spaceId);
  // The step was done, and this is its message again.
  if (before?.step !== step) return;
  reportIfLate(workspaceId, before);
  const startedAt = now();
  let current = before;
  for (;;) {
    const page = await phases[current.phase]({ workspaceId, spaceId }, current.after);
    const following = afterPage(current, page, now());
    if (!following) return await end(workspaceId, before);
    current = following.teardown;
    const { dueAt } = following;
    if (dueAt === null && now() < startedAt + stepMs) continue;
    const after = { ...current, step: step + 1 };
    await updateTeardown(workspaceId, before, after, [
      { message: teardownMessage(workspaceId, after), ...(dueAt !== null && { dueAt }) },
    ]);
    return;
  }
}

async function end(workspaceId: WorkspaceId, teardown: Teardown): Promise<void> {
  if (!(await endTeardown(workspaceId, teardown))) return;
  count('SpacesRemoved', workspaceId);
  logEvent('space.removed', { workspace_id: workspaceId, space_id: teardown.spaceId });
}

function reportIfLate(workspaceId: WorkspaceId, { spaceId, deletedAt }: Teardown): void {
  if (now() < deletedAt + lateMs) return;
  logEvent('space.removal_late', { workspace_id: workspaceId, space_id: spaceId });
}
