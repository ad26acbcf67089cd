/** Edits of drafts (docs/concepts/drafts.md#editing). */
import type { RequestedAttachment } from '../../core/attachments/requested-attachment.ts';
import { type Draft, originalOf } from '../../core/emails/draft.ts';
import type { EmailContent, EmailHead, StoredAttachment } from '../../core/emails/email.ts';
import type { EmailId, WorkspaceId } from '../../core/ids.ts';
import type { Address } from '../../mail/addresses/addresses.ts';
import { textOfBody } from '../../mail/html/text-of-body.ts';
import { snippet } from '../../mail/text/snippet.ts';
import { removeAttachments, replaceableContent } from '../../storage/emails/draft-content.ts';
import { type FullDraft, loadDraft, replaceDraft } from '../../storage/emails/drafts.ts';
import { commitIfUnchanged } from '../../storage/table/transactions.ts';
import { conflict, retryOnConflict } from '../retry-on-conflict.ts';
import { checkSchedule } from './accept-checks.ts';
import type { Requester } from './accept-email.ts';
import { checkVersion, findOpenDraft, refuseNoDraft } from './end-draft.ts';
import { gatherFiles, storeAttachments } from './outgoing-files.ts';
import { reschedule } from './scheduled-emails.ts';

/** What an edit changes; undefined leaves a field as it is. */
export interface DraftEdit {
  readonly to?: readonly Address[] | undefined;
  readonly cc?: readonly Address[] | undefined;
  readonly bcc?: readonly Address[] | undefined;
  readonly replyTo?: readonly Address[] | undefined;
  readonly subject?: string | undefined;
  /** Replaces text and html together: what is null is made of the other, or is not there. */
  readonly body?: Pick<EmailContent, 'text' | 'html'> | undefined;
  /** Replaces the files; one that names a file of the draft keeps it. */
  readonly attachments?: readonly RequestedAttachment[] | undefined;
  readonly scheduledAt?: number | null | undefined;
}

interface DraftRequest {
  readonly edit: DraftEdit;
  /** That the request has seen; null: any. */
  readonly version: number | null;
}

/**
 * Edits a draft, or moves a scheduled email where the request names a time and nothing else.
 *
 * @throws Problem as `editDraft` or `reschedule`
 */
export async function updateEmail(
  requester: Requester,
  id: EmailId,
  { scheduledAt, ...request }: DraftRequest & { readonly scheduledAt: number | null },
): Promise<EmailHead> {
  const draft = await editDraft(requester, id, request);
  if (draft) return draft;
  if (scheduledAt === null) return await refuseNoDraft(requester.workspaceId, id);
  return await reschedule(requester, id, scheduledAt);
}

/**
 * Edits a draft: one write, which fails where the draft changed meanwhile. null: the email is no draft.
 *
 * @throws Problem draft_changed, invalid_request, not_found (attachment), attachments_too_large
 */
async function editDraft(
  requester: Requester,
  id: EmailId,
  { edit, version }: DraftRequest,
): Promise<EmailHead | null> {
  const { workspaceId } = requester;
  checkSchedule(edit.scheduledAt ?? null);
  return await retryOnConflict(`draft ${id}`, async () => {
    const head = await findOpenDraft(workspaceId, id);
    if (!head) return null;
    checkVersion(head, version);
    const before = await loadDraft(workspaceId, head);
    const attachments = edit.attachments && (await filesOf(workspaceId, before, edit.attachments));
    const content = await contentOf(before, edit, attachments);
    const draft = draftOf(requester, before.head, edit, content);
    const isCommitted = await commitIfUnchanged(workspaceId, [
      replaceDraft(workspaceId, draft),
      await replaceableContent(workspaceId, id, content),
    ]);
    if (!isCommitted) return conflict;
    await removeAttachments(workspaceId, id, droppedFrom(before.content, content));
    return draft;
  });
}

async function contentOf(
  { head, content }: FullDraft,
  { cc, bcc, replyTo, body }: DraftEdit,
  attachments: readonly StoredAttachment[] | undefined,
): Promise<EmailContent> {
  const edited = body ?? content;
  return {
    ...content,
    cc: cc ?? content.cc,
    bcc: bcc ?? content.bcc,
    replyTo: replyTo ?? content.replyTo,
    html: edited.html,
    text: await textOfBody(edited),
    attachments: attachments ?? content.attachments,
    original: content.original ?? originalOf(head, content),
  };
}

function draftOf({ actor }: Requester, before: Draft, edit: DraftEdit, content: EmailContent): Draft {
  const version = before.revision + 1;
  return {
    ...before,
    to: edit.to ?? before.to,
    others: [...content.cc, ...content.bcc, ...content.replyTo],
    subject: edit.subject ?? before.subject,
    snippet: snippet(content.text ?? ''),
    scheduledAt: edit.scheduledAt === undefined ? before.scheduledAt : edit.scheduledAt,
    revision: version,
    draft: { ...before.draft, version, editedBy: actor },
  };
}

/** The files that an edit names, in its order; those of the draft itself are kept, others are stored. */
async function filesOf(
  workspaceId: WorkspaceId,
  { head: { id }, content }: FullDraft,
  attachments: readonly RequestedAttachment[],
): Promise<StoredAttachment[]> {
  const files = await gatherFiles(workspaceId, { attachments, carried: [] });
  return await Promise.all(
    files.map(async (file, at) => {
      const asked = attachments[at];
      const named = asked && 'attachmentId' in asked ? asked.attachmentId : null;
      const own = content.attachments.find((one) => one.id === named);
      if (own) return { ...own, cid: file.file.cid };
      const [stored] = await storeAttachments(workspaceId, id, [file]);
      if (!stored) throw new Error('a file was not stored');
      return stored;
    }),
  );
}

function droppedFrom(before: EmailContent, { attachments }: EmailContent): StoredAttachment[] {
  const kept = new Set(attachments.map(({ id }) => id));
  return before.attachments.filter(({ id }) => !kept.has(id));
}
