/** Describes an attachment in response headers. */
import { contentDisposition, namedType } from '../../lib/core/download.ts';
import { Problem } from '../../lib/core/problems.ts';
import { serve } from '../../lib/http/serve.ts';
import { findAttachment } from '../../lib/storage/attachments.ts';
import { inspectAttachmentOperation } from './inspect.contract.ts';

export const handler = serve(inspectAttachmentOperation, async ({ caller: { workspaceId }, params }) => {
  const found = await findAttachment(workspaceId, params.attachment_id);
  if (!found) throw new Problem('not_found', 'The attachment does not exist.');
  const { filename, contentType, size } = found.file;
  return {
    status: 200,
    body: null,
    headers: {
      'content-type': namedType(contentType),
      'content-length': String(size),
      'content-disposition': contentDisposition(filename),
    },
  };
});
