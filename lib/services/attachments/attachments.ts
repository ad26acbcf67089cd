/** Attachments as the API reads them (docs/concepts/attachments.md#downloads). */
import type { AttachmentRecord } from '../../core/attachments/attachment.ts';
import type { AttachmentId, EmailId, WorkspaceId } from '../../core/ids.ts';
import { Problem } from '../../core/problems.ts';
import { findAttachment } from '../../storage/emails/attachments.ts';
import { linkToFile, linkToText } from './attachment-links.ts';

/** @throws Problem not_found */
export async function getAttachment(
  workspaceId: WorkspaceId,
  id: AttachmentId,
): Promise<{ readonly emailId: EmailId; readonly file: AttachmentRecord }> {
  const found = await findAttachment(workspaceId, id);
  if (!found) throw new Problem('not_found', 'The attachment does not exist.');
  return found;
}

/** A signed link to the original file. @throws Problem not_found */
export async function linkAttachment(workspaceId: WorkspaceId, id: AttachmentId): Promise<string> {
  const { emailId, file } = await getAttachment(workspaceId, id);
  return await linkToFile(workspaceId, emailId, file);
}

/** A signed link to the extracted text. @throws Problem not_found, not_prepared */
export async function linkAttachmentText(workspaceId: WorkspaceId, id: AttachmentId): Promise<string> {
  const { emailId, file } = await getAttachment(workspaceId, id);
  const { extraction } = file;
  if (extraction?.format) return await linkToText(workspaceId, emailId, file, extraction.format);
  const reason = extraction
    ? (extraction.warnings.at(-1) ?? 'The attachment contains no text.')
    : 'No text has been extracted from the attachment yet.';
  throw new Problem('not_prepared', reason);
}
