/** Upgrade of the items that an earlier version wrote. */

import type { WorkspaceId } from '../../core/ids.ts';
import { replaceCursorSecret } from '../../storage/api-keys.ts';
import { relistEmails } from '../../storage/emails.ts';
import { reindexMessageIds } from '../../storage/reindex-message-ids.ts';
import { relistThreads } from '../../storage/threads.ts';
import { findWorkspaceSecrets, replaceWorkspaceSecrets } from '../../storage/workspaces.ts';
import { sealSigningSecret } from './signing-secrets.ts';
import { listWorkspaces } from './workspaces.ts';

/** Items of a page: a transaction has at most 100 writes. */
const itemsAtOnce = 90;

type Relist = typeof relistEmails;

/**
 * Changes what 0.1.0 stored: lists emails and threads as this version reads them, indexes Message-IDs without case, seals
 * the secrets of links and cursors, gives the bodies of webhook deliveries to their events, and due entries to those that wait for a retry. The secrets stay
 * the same, so that links in sent mail work. Idempotent, also after it was interrupted; safe while the deployment works.
 */
export async function upgradeTable(): Promise<{
  readonly emails: number;
  readonly threads: number;
  readonly messageIds: number;
  readonly sealed: number;
}> {
  const total = { emails: 0, threads: 0, messageIds: 0, sealed: 0 };
  for (const { id } of await listWorkspaces()) {
    total.emails += await everyPage(relistEmails, id);
    total.threads += await everyPage(relistThreads, id);
    total.messageIds += await everyPage(reindexMessageIds, id);
    total.sealed += await sealSecrets(id);
  }
  return total;
}

/** Seals the secrets of a workspace; the number of its items with a sealed secret now that had plaintext. */
async function sealSecrets(workspaceId: WorkspaceId): Promise<number> {
  const before = await findWorkspaceSecrets(workspaceId);
  if (!before) return 0;
  const [cursorSecret, linkSecret] = await Promise.all([
    sealSigningSecret(workspaceId, 'cursor-secret', before.cursorSecret),
    sealSigningSecret(workspaceId, 'link-secret', before.linkSecret),
  ]);
  const isSealed = cursorSecret === before.cursorSecret && linkSecret === before.linkSecret;
  // Keys first: after a crash in between, the workspace has plaintext still and is found again.
  if (isSealed) return 0;
  const keys = await everyPage((id, paging) => replaceCursorSecret(id, cursorSecret, paging), workspaceId);
  await replaceWorkspaceSecrets(workspaceId, before, { cursorSecret, linkSecret });
  return keys + 1;
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
