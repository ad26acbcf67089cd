/** Emails and drafts as version 1 reads them. */
import { now } from '../../adapters/clock.ts';
import type { FullEmail } from '../../core/emails/email.ts';
import type { EmailId, WorkspaceId } from '../../core/ids.ts';
import { Problem } from '../../core/problems.ts';
import { findEmailOrDraft } from '../../storage/emails/drafts.ts';
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
  /** When the links were signed; Unix milliseconds. */
  readonly at: number;
}

/** @throws Problem not_found */
export async function getV1Email(workspaceId: WorkspaceId, id: EmailId): Promise<V1EmailDetails> {
  const email = await findEmailOrDraft(workspaceId, id);
  if (!email) throw new Problem('not_found', 'The email does not exist.');
  return await v1EmailDetails(workspaceId, email);
}

export async function v1EmailDetails(workspaceId: WorkspaceId, email: FullEmail): Promise<V1EmailDetails> {
  const at = now();
  return { ...(await linkV1Email(workspaceId, email)), at };
}

export async function linkV1Email(workspaceId: WorkspaceId, found: FullEmail): Promise<LinkedV1Email> {
  const email = await withStrippedText(found);
  const [attachments, citations] = await Promise.all([
    linkAttachments(workspaceId, email, { withText: false }),
    v1CitationsOf(workspaceId, email),
  ]);
  return { email, attachments, citations };
}
