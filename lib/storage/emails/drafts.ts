/** Drafts of version 1. Their content, files and records are stored as those of the email that a draft becomes. */

import type { EmailContent } from '../../core/emails/email.ts';
import type { EmailId, ThreadId, WorkspaceId } from '../../core/ids.ts';
import type { Draft } from '../../core/threads/draft.ts';
import { codec, flag, id, nullable, number, sortKey, sparseList, text } from '../table/codec.ts';
import * as keys from '../table/keys.ts';
import { listPage } from '../table/paging.ts';
import { get } from '../table/reads.ts';
import { placeInSpace } from '../table/space-index.ts';
import type { Item } from '../table/table.ts';
import { absent, commit, present, type Write } from '../table/transactions.ts';
import { findDeletedSpaces, isDeleted, unlessDeleted } from '../workspaces/deleted-spaces.ts';
import { contentJson, loadContent } from './email-content.ts';
import { addressField } from './email-heads.ts';

/** For stores only. */
export const draftCodec = codec<Draft>('draft', {
  id: sortKey(id('eml')),
  threadId: id('thr'),
  spaceId: nullable(id('spc')),
  from: addressField,
  to: sparseList(addressField),
  subject: text,
  snippet: text,
  messageId: text,
  inReplyTo: nullable(text),
  idempotencyKey: nullable(text),
  createdAt: number,
  forwardOf: nullable(id('thr')),
  trackOpens: nullable(flag),
  trackClicks: nullable(flag),
  baseUrl: text,
});

/**
 * Stores a draft.
 *
 * @param writes of its transaction: its content, where the bucket does not hold it, and the claim of its idempotency key
 * @throws ConditionFailed `idempotency` where another request has used the key
 */
export async function createDraft(
  workspaceId: WorkspaceId,
  draft: Draft,
  writes: readonly Write[],
): Promise<void> {
  const put = {
    ...keys.draftKey(workspaceId, draft.id),
    ...draftCodec.encode(draft),
    ...placeInSpace(keys.draftsOfSpace, workspaceId, draft.spaceId, draft.id),
  };
  await commit(workspaceId, [
    { as: 'draft', put, ...absent },
    { as: 'draft of thread', put: { ...keys.draftOfThreadKey(workspaceId, draft.threadId, draft.id) } },
    ...writes,
  ]);
}

/**
 * The writes that turn a draft into the email of its id; the first, named `draft`, fails where that was done before.
 *
 * @param content the write of the email's content; null where the bucket holds it, which the draft's item would hide
 */
export function promoteDraft(
  workspaceId: WorkspaceId,
  { id, threadId }: Pick<Draft, 'id' | 'threadId'>,
  content: Write | null,
): Write[] {
  return [
    { as: 'draft', delete: keys.draftKey(workspaceId, id), ...present },
    { as: 'draft of thread', delete: keys.draftOfThreadKey(workspaceId, threadId, id) },
    content ?? { as: 'content', delete: keys.contentKey(workspaceId, id) },
  ];
}

/** A draft of the workspace, or null. */
export async function findDraft(workspaceId: WorkspaceId, id: EmailId): Promise<Draft | null> {
  const reading = get(keys.draftKey(workspaceId, id));
  return await unlessDeleted(
    workspaceId,
    reading.then((item) => item && draftCodec.decode(item)),
  );
}

/** The content of a draft that exists. */
export async function loadDraftContent(workspaceId: WorkspaceId, id: EmailId): Promise<EmailContent> {
  const item = await get(keys.contentKey(workspaceId, id));
  return await loadContent(workspaceId, id, item ? contentJson(item) : null);
}

/** Drafts of a thread that are read at most. */
const draftsOfThreadMax = 100;

/** The newest drafts of a thread, oldest first. */
export async function listDraftsOfThread(workspaceId: WorkspaceId, threadId: ThreadId): Promise<Draft[]> {
  const pk = keys.draftsOfThread(workspaceId, threadId);
  const { items } = await listPage({
    pk,
    itemOf: ({ sk }) => ({ pk: keys.drafts(workspaceId), sk }),
    order: 'newest first',
    limit: draftsOfThreadMax,
    after: null,
  });
  return await kept(workspaceId, items.toReversed());
}

/** The newest drafts of a workspace, newest first. */
export async function listNewestDrafts(workspaceId: WorkspaceId, limit: number): Promise<Draft[]> {
  const page = await listPage({ pk: keys.drafts(workspaceId), order: 'newest first', limit, after: null });
  return await kept(workspaceId, page.items);
}

async function kept(workspaceId: WorkspaceId, items: readonly (Item | null)[]): Promise<Draft[]> {
  const deleted = await findDeletedSpaces(workspaceId);
  return items
    .flatMap((item) => (item ? [draftCodec.decode(item)] : []))
    .filter(({ spaceId }) => !isDeleted(deleted, spaceId));
}
