/** Removal of the drafts of a deleted space (docs/decisions/0047-teardown-of-spaces.md). */

import type { Draft } from '../../core/emails/draft.ts';
import type { WorkspaceId } from '../../core/ids.ts';
import type { Page, Paging } from '../../core/page.ts';
import type { TeardownScope } from '../../core/workspaces/teardown.ts';
import { draftCodec } from '../emails/drafts.ts';
import * as keys from '../table/keys.ts';
import { listPage } from '../table/paging.ts';
import { removeAll } from '../table/table.ts';
import { removeParts } from './teardown-emails.ts';

/** A page of the drafts of a space or of a workspace, oldest first, also of a deleted one. */
export async function listDraftsToRemove(
  workspaceId: WorkspaceId,
  scope: TeardownScope,
  paging: Paging,
): Promise<Page<Draft>> {
  const of =
    scope === 'workspace'
      ? { pk: keys.drafts(workspaceId) }
      : { pk: keys.draftsOfSpace(workspaceId, scope), index: 'GSI1' as const };
  const page = await listPage({ ...of, order: 'oldest first', ...paging });
  return { items: page.items.map(draftCodec.decode), next: page.next };
}

/** Removes a draft. Idempotent. What leads to a part is removed after the part. */
export async function removeDraft(workspaceId: WorkspaceId, draft: Draft): Promise<void> {
  const { id, threadId, spaceId, idempotencyKey } = draft;
  await removeParts(workspaceId, draft);
  await removeAll([
    keys.draftOfThreadKey(workspaceId, threadId, id),
    ...(idempotencyKey === null ? [] : [keys.idempotencyKey(workspaceId, spaceId, idempotencyKey)]),
  ]);
  await removeAll([keys.draftKey(workspaceId, id)]);
}
