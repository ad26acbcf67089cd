/** Removal of the drafts of a deleted space (docs/decisions/0047-teardown-of-spaces.md). */
import { deleteObject } from '../adapters/objects.ts';
import type { Draft } from '../core/draft.ts';
import type { WorkspaceId } from '../core/ids.ts';
import type { Page, Paging } from '../core/page.ts';
import type { TeardownScope } from '../core/teardown.ts';
import { attachmentCodec } from './attachments.ts';
import { draftCodec } from './drafts.ts';
import { contentObject } from './email-content.ts';
import * as keys from './keys.ts';
import { listPage } from './paging.ts';
import { queryAll, removeAll } from './table.ts';
import { removeFiles } from './teardown-emails.ts';

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
  const parts = await queryAll(keys.emailParts(workspaceId, draft.id));
  const files = parts.filter(({ sk }) => sk.startsWith(keys.attachmentPrefix)).map(attachmentCodec.decode);
  await removeFiles(workspaceId, draft, files);
  await deleteObject(contentObject(workspaceId, draft.id));
  await removeAll(parts);
  await removeAll([keys.draftOfThreadKey(workspaceId, draft.threadId, draft.id)]);
  await removeAll([keys.draftKey(workspaceId, draft.id)]);
}
