/** Redirects to the extracted text of an attachment. */
import { serve } from '../../lib/http/serve.ts';
import { linkAttachmentText } from '../../lib/services/attachments/attachments.ts';
import { downloadAttachmentTextOperation } from './download-text.contract.ts';

export const handler = serve(downloadAttachmentTextOperation, async ({ caller, params }) => {
  const location = await linkAttachmentText(caller.workspaceId, params.attachment_id);
  return { status: 307, body: null, headers: { location } };
});
