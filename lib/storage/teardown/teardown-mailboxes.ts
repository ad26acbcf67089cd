/** Removal of mailboxes and OAuth apps with everything that belongs to them (docs/decisions/0047-teardown-of-spaces.md). */
import type { WorkspaceId } from '../../core/ids.ts';
import type { Mailbox } from '../../core/mailboxes/mailbox.ts';
import { forgetUnusedClient, listApps } from '../mailboxes/oauth-apps.ts';
import { returnCount } from '../table/counters.ts';
import * as keys from '../table/keys.ts';
import { listPage } from '../table/paging.ts';
import { queryAll, removeAll } from '../table/table.ts';
import { commitIfUnchanged, present } from '../table/transactions.ts';

/** Removes a mailbox with its claim, its credentials and its other parts. Idempotent. */
export async function removeMailbox(
  workspaceId: WorkspaceId,
  { id, address, appId }: Mailbox,
): Promise<void> {
  await removeAll(await queryAll(keys.mailboxParts(workspaceId, id)));
  await removeAll([keys.pushAddressKey(appId, address, workspaceId, id)]);
  if (appId) {
    await removeAll([keys.mailboxOfAppKey(workspaceId, appId, id)]);
    await forgetUnusedClient(workspaceId, appId);
  }
  // The mailbox last: a step that is repeated finds it.
  const isRemoved = await commitIfUnchanged(workspaceId, [
    { as: 'mailbox', delete: keys.mailboxKey(workspaceId, id), ...present },
    { as: 'claim', delete: keys.mailboxClaimKey(workspaceId, address) },
  ]);
  if (isRemoved) await returnCount(workspaceId, 'mailboxes', 1);
}

const appsAtOnce = 100;

/** Removes all OAuth apps with their slugs and the clients of deleted ones. @returns the number found; 0: nothing is left */
export async function removeApps(workspaceId: WorkspaceId): Promise<number> {
  const { items: apps } = await listApps(workspaceId, { limit: appsAtOnce, after: null });
  for (const { id } of apps) await removeAll(await queryAll(keys.mailboxesOfApp(workspaceId, id)));
  await removeAll(apps.map(({ slug }) => keys.appSlugKey(slug)));
  await removeAll(apps.map(({ id }) => keys.oauthAppKey(workspaceId, id)));
  const { items: retired } = await listPage({
    pk: keys.retiredApps(workspaceId),
    order: 'oldest first',
    limit: appsAtOnce,
    after: null,
  });
  await removeAll(retired);
  return apps.length + retired.length;
}
