/** Mailboxes as the API reads them (docs/concepts/mailboxes.md). */
import type { MailboxId, SpaceId, WorkspaceId } from '../../core/ids.ts';
import type { Mailbox } from '../../core/mailboxes/mailbox.ts';
import type { Page, Paging } from '../../core/page.ts';
import { Problem } from '../../core/problems.ts';
import * as store from '../../storage/mailboxes/mailboxes.ts';
import { checkSpaceFilter } from '../spaces/spaces.ts';

/** @throws Problem not_found */
export async function getMailbox(workspaceId: WorkspaceId, id: MailboxId): Promise<Mailbox> {
  const mailbox = await store.findMailbox(workspaceId, id);
  if (!mailbox) throw new Problem('not_found', 'The mailbox does not exist.');
  return mailbox;
}

/** A page of mailboxes, oldest first. @param space undefined: every space @throws Problem not_found (space) */
export async function listMailboxes(
  workspaceId: WorkspaceId,
  space: SpaceId | null | undefined,
  paging: Paging,
): Promise<Page<Mailbox>> {
  const [page] = await Promise.all([
    store.listMailboxes(workspaceId, space, paging),
    checkSpaceFilter(workspaceId, space),
  ]);
  return page;
}
