/** Redirects to the original file of an attachment. */
import { Problem } from '../../lib/core/problems.ts';
import { serve } from '../../lib/http/serve.ts';
import { linkToFile } from '../../lib/services/attachments/attachment-links.ts';
import { findAttachment } from '../../lib/storage/attachments.ts';
import { downloadAttachmentOperation } from './download.contract.ts';

export const handler = serve(downloadAttachmentOperation, async ({ caller: { workspaceId }, params }) => {
  const found = await findAttachment(workspaceId, params.attachment_id);
  if (!found) throw new Problem('not_found', 'The attachment does not exist.');
  const location = await linkToFile(workspaceId, found.emailId, found.file);
  return { status: 307, body: null, headers: { location } };
});
