/** Creates an upload. */
import { presentUpload } from '../../lib/http/presenters/upload.ts';
import { serve } from '../../lib/http/serve.ts';
import { openUpload } from '../../lib/services/attachments/open-upload.ts';
import { createAttachmentOperation } from './create.contract.ts';

export const handler = serve(createAttachmentOperation, async ({ caller, body }) => {
  const { filename, content_type: contentType, size, cid = null } = body;
  const opened = await openUpload(caller.workspaceId, { filename, contentType, size, cid });
  return { status: 201, body: presentUpload(opened) };
});
