/** Drafts. Their content, files and records are stored as those of the email that a draft becomes. */

import type { Draft } from '../../core/emails/draft.ts';
import type { DraftFacts, FullEmail } from '../../core/emails/email.ts';
import type { EmailId, ThreadId, WorkspaceId } from '../../core/ids.ts';
import { defaultPacing } from '../../core/pacing/rule.ts';
import type { Page, Paging } from '../../core/page.ts';
import { allDone } from '../../core/work/all-done.ts';
import {
  codec,
  flag,
  id,
  nullable,
  number,
  object,
  oneOf,
  sparseFlag,
  text,
  withDefault,
} from '../table/codec.ts';
import { expressionsOf } from '../table/expressions.ts';
import * as keys from '../table/keys.ts';
import { type ListInput, listFiltered, listPage } from '../table/paging.ts';
import { get } from '../table/reads.ts';
import { placeInSpace } from '../table/space-index.ts';
import type { Item } from '../table/table.ts';
import { absent, type Write } from '../table/transactions.ts';
import { findDeletedSpaces, isDeleted, unlessDeleted } from '../workspaces/deleted-spaces.ts';
import { draftField, type EmailFilter, headFields } from './email-heads.ts';
import { findFullEmail, findStoredEmail, fullEmailOfHead } from './emails.ts';

/** Of drafts that were stored before these were recorded. */
const unrecorded: DraftFacts = {
  version: 1,
  draftedBy: null,
  editedBy: null,
  approvedBy: null,
  expiresAt: null,
};

/** For stores only. Defaults are of drafts that version 1 stored before version 2 had any. */
export const draftCodec = codec<Draft>('draft', {
  ...headFields,
  status: withDefault(oneOf(['draft']), 'draft'),
  revision: withDefault(number, 1),
  draft: withDefault(draftField, unrecorded),
  forwardOf: nullable(id('thr')),
  trackOpens: nullable(flag),
  trackClicks: nullable(flag),
  unsubscribe: sparseFlag,
  pacing: withDefault(object({ skip: flag, count: flag }), defaultPacing),
  baseUrl: text,
});

/** The writes that create a draft, the first one named `draft`. */
export function createDraft(workspaceId: WorkspaceId, draft: Draft): Write[] {
  return [
    { as: 'draft', put: itemOf(workspaceId, draft), ...absent },
    {
      as: 'draft of thread',
      put: { ...keys.draftOfThreadKey(workspaceId, draft.threadId, draft.id) },
      ...absent,
    },
  ];
}

/** The write that replaces a draft, named `draft`: it fails where the draft is not of the version before any more. */
export function replaceDraft(workspaceId: WorkspaceId, draft: Draft): Write {
  return { as: 'draft', put: itemOf(workspaceId, draft), ...ifVersion(draft.revision - 1) };
}

/** The writes that end a draft; the first, named `draft`, fails where it is of another version, or ended before. */
export function endDraft(
  workspaceId: WorkspaceId,
  { id, threadId, revision }: Pick<Draft, 'id' | 'threadId' | 'revision'>,
): Write[] {
  return [
    { as: 'draft', delete: keys.draftKey(workspaceId, id), ...ifVersion(revision) },
    { as: 'draft of thread', delete: keys.draftOfThreadKey(workspaceId, threadId, id) },
  ];
}

/** The write by which a deleted thread finds a draft of it that was canceled. */
export function listEndedDraft(
  workspaceId: WorkspaceId,
  { id, threadId }: Pick<Draft, 'id' | 'threadId'>,
): Write {
  return { as: 'ended draft', put: { ...keys.endedDraftKey(workspaceId, threadId, id) } };
}

/** Drafts of version 1 that are older than versions have none. */
function ifVersion(revision: number) {
  const expressions = expressionsOf({}, { equal: { revision } });
  if (revision !== 1) return expressions;
  const ConditionExpression = `attribute_exists(pk) AND (attribute_not_exists(#revision) OR ${expressions.ConditionExpression})`;
  return { ...expressions, ConditionExpression };
}

const itemOf = (workspaceId: WorkspaceId, draft: Draft): Item => ({
  ...keys.draftKey(workspaceId, draft.id),
  ...draftCodec.encode(draft),
  ...placeInSpace(keys.draftsOfSpace, workspaceId, draft.spaceId, draft.id),
});

/** A draft of the workspace, or null. */
export async function findDraft(workspaceId: WorkspaceId, id: EmailId): Promise<Draft | null> {
  return await unlessDeleted(workspaceId, findStoredDraft(workspaceId, id));
}

async function findStoredDraft(workspaceId: WorkspaceId, id: EmailId): Promise<Draft | null> {
  const item = await get(keys.draftKey(workspaceId, id));
  return item && draftCodec.decode(item);
}

/** A draft with its content. */
export interface FullDraft extends FullEmail {
  readonly head: Draft;
}

/**
 * A draft that the caller has found, with its content. It is read afterwards, so that it is never older than the
 * version: whoever approves this version has seen what it is, or the approval is refused.
 */
export async function loadDraft(workspaceId: WorkspaceId, draft: Draft): Promise<FullDraft> {
  return { ...(await fullEmailOfHead(workspaceId, draft)), head: draft };
}

/** An email or a draft, or null. */
export const findEmailOrDraft = emailOr(findFullEmail, findDraft);

/** The same, also of a deleted space: for what asks for the deletion itself. */
export const findStoredEmailOrDraft = emailOr(findStoredEmail, findStoredDraft);

function emailOr(findEmail: typeof findFullEmail, find: typeof findDraft) {
  return async (workspaceId: WorkspaceId, id: EmailId): Promise<FullEmail | null> => {
    const email = await findEmail(workspaceId, id);
    if (email) return email;
    const draft = await find(workspaceId, id);
    // Where there is none, it may have become an email in between.
    return draft ? await loadDraft(workspaceId, draft) : await findEmail(workspaceId, id);
  };
}

/** A page of the drafts that have not expired, newest first. The caller checks that a given space or thread exists. */
export async function listDrafts(
  workspaceId: WorkspaceId,
  { space, threadId, direction, matches = () => true }: EmailFilter,
  paging: Paging,
  nowMs: number,
): Promise<Page<Draft>> {
  if (direction === 'inbound') return { items: [], next: null };
  const deleted = await findDeletedSpaces(workspaceId);
  const passes = (draft: Draft) =>
    !isDeleted(deleted, draft.spaceId) &&
    (space === undefined || draft.spaceId === space) &&
    (draft.draft.expiresAt === null || draft.draft.expiresAt > nowMs) &&
    matches(draft);
  const input = {
    ...partitionOf(workspaceId, { space, threadId }),
    order: 'newest first' as const,
    ...paging,
  };
  const page = await listFiltered(input, (item) => passes(draftCodec.decode(item)), 'all or few');
  return { items: page.items.map(draftCodec.decode), next: page.next };
}

function partitionOf(
  workspaceId: WorkspaceId,
  { threadId, space }: Pick<EmailFilter, 'threadId' | 'space'>,
): Pick<ListInput, 'pk' | 'index' | 'itemOf'> {
  if (threadId) {
    const itemOf = ({ sk }: keys.Key) => ({ pk: keys.drafts(workspaceId), sk });
    return { pk: keys.draftsOfThread(workspaceId, threadId), itemOf };
  }
  if (!space) return { pk: keys.drafts(workspaceId) };
  return { pk: keys.draftsOfSpace(workspaceId, space), index: 'GSI1' };
}

/** Drafts of a thread that are read at most. */
export const draftsOfThreadMax = 100;

/** The newest drafts of a thread, oldest first. */
export async function listDraftsOfThread(workspaceId: WorkspaceId, threadId: ThreadId): Promise<Draft[]> {
  const input = { ...partitionOf(workspaceId, { threadId }), order: 'newest first' as const };
  const { items } = await listPage({ ...input, limit: draftsOfThreadMax, after: null });
  return await kept(workspaceId, items.toReversed());
}

/** Drafts that the caller has found, with their content. */
export async function loadDrafts(workspaceId: WorkspaceId, drafts: readonly Draft[]): Promise<FullDraft[]> {
  return await allDone(drafts.map((draft) => loadDraft(workspaceId, draft)));
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
