/** Emails as version 1 reads them: those of version 2, and drafts. */
import { now } from '../../adapters/clock.ts';
import type { FullEmail } from '../../core/emails/email.ts';
import type { EmailId, WorkspaceId } from '../../core/ids.ts';
import { Problem } from '../../core/problems.ts';
import { type Draft, emailOfDraft } from '../../core/threads/draft.ts';
import { findDraft, loadDraftContent } from '../../storage/emails/drafts.ts';
import { findFullEmail } from '../../storage/emails/emails.ts';
import { type LinkedAttachment, linkAttachments } from '../attachments/attachment-links.ts';
import { withStrippedText } from './stripped-text.ts';
import { type V1Citations, v1CitationsOf } from './v1-citations.ts';

/** An email with what its record shows of other records. */
export interface LinkedV1Email {
  readonly email: FullEmail;
  readonly attachments: readonly LinkedAttachment[];
  readonly citations: V1Citations;
}

export interface V1EmailDetails extends LinkedV1Email {
  readonly isDraft: boolean;
  /** When the links were signed; Unix milliseconds. */
  readonly at: number;
}

/** @throws Problem not_found */
export async function getV1Email(workspaceId: WorkspaceId, id: EmailId): Promise<V1EmailDetails> {
  const email = await findFullEmail(workspaceId, id);
  if (email) return await v1EmailDetails(workspaceId, email, false);
  const draft = await findDraft(workspaceId, id);
  if (draft) return await draftDetails(workspaceId, draft);
  throw new Problem('not_found', 'The email does not exist.');
}

export async function draftDetails(workspaceId: WorkspaceId, draft: Draft): Promise<V1EmailDetails> {
  const email = emailOfDraft(draft, await loadDraftContent(workspaceId, draft.id));
  return await v1EmailDetails(workspaceId, email, true);
}

export async function v1EmailDetails(
  workspaceId: WorkspaceId,
  email: FullEmail,
  isDraft: boolean,
): Promise<V1EmailDetails> {
  const at = now();
  return { ...(await linkV1Email(workspaceId, email)), isDraft, at };
}

export async function linkV1Email(workspaceId: WorkspaceId, found: FullEmail): Promise<LinkedV1Email> {
  const email = await withStrippedText(found);
  const [attachments, citations] = await Promise.all([
    linkAttachments(workspaceId, email, { withText: false }),
    v1CitationsOf(workspaceId, email),
  ]);
  return { email, attachments, citations };
}
