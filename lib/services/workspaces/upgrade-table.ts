/** Upgrade of the items that an earlier version wrote. */
import type { WorkspaceId } from '../../core/ids.ts';
import { relistEmails } from '../../storage/emails.ts';
import { relistThreads } from '../../storage/threads.ts';
import { listWorkspaces } from './workspaces.ts';

/** Items of a page: a transaction has at most 100 writes. */
const itemsAtOnce = 90;

type Relist = typeof relistEmails;

/** Lists the emails and threads of 0.1.0 as this version reads them. Idempotent; safe while the deployment works. */
export async function upgradeTable(): Promise<{ readonly emails: number; readonly threads: number }> {
  const total = { emails: 0, threads: 0 };
  for (const { id } of await listWorkspaces()) {
    total.emails += await everyPage(relistEmails, id);
    total.threads += await everyPage(relistThreads, id);
  }
  return total;
}

async function everyPage(relist: Relist, workspaceId: WorkspaceId): Promise<number> {
  let total = 0;
  let after: string | null = null;
  do {
    const page: Awaited<ReturnType<Relist>> = await relist(workspaceId, { limit: itemsAtOnce, after });
    total += page.listed;
    after = page.next;
  } while (after !== null);
  return total;
}
