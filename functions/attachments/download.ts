/** Redirects to the original file of an attachment. */
import { serve } from '../../lib/http/serve.ts';
import { linkAttachment } from '../../lib/services/attachments/attachments.ts';
import { downloadAttachmentOperation } from './download.contract.ts';

export const handler = serve(downloadAttachmentOperation, async ({ caller, params }) => {
  const location = await linkAttachment(caller.workspaceId, params.attachment_id);
  return { status: 307, body: null, headers: { location } };
});
