/** Describes an attachment in response headers. */
import { contentDisposition } from '../../lib/core/attachments/download.ts';
import { serve } from '../../lib/http/serve.ts';
import { namedType } from '../../lib/mail/message/media-types.ts';
import { getAttachment } from '../../lib/services/attachments/attachments.ts';
import { inspectAttachmentOperation } from './inspect.contract.ts';

export const handler = serve(inspectAttachmentOperation, async ({ caller, params }) => {
  const { file } = await getAttachment(caller.workspaceId, params.attachment_id);
  const { filename, contentType, size } = file;
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
