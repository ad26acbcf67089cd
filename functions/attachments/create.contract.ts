/** Contract of `POST /attachments`. */
import * as z from 'zod';
import { operation } from '../../lib/http/contract.ts';
import { uploadInput, uploadSchema } from '../../lib/http/presenters/upload.ts';

export const createAttachmentOperation = operation({
  id: 'attachments.create',
  method: 'POST',
  path: '/api/v2/attachments',
  summary: 'Create an upload for an attachment',
  description:
    'Returns a link for uploading a file, for files that are too large for the request body of a send (about 4.7 MB ' +
    'of files). PUT the file to `upload_url` with `upload_headers`, then name its id in `attachments` of a send, ' +
    'reply or forward, as `{"attachment_id": "att_…"}`. Each email gets a copy of the file with a new id. The upload ' +
    'can be used for several emails until it expires after 24 hours.',
  scope: 'draft',
  budget: 'read',
  access: ['table:put', 'content:put'],
  params: z.strictObject({}),
  query: z.strictObject({}),
  body: uploadInput,
  responses: { 201: { description: 'The upload.', body: uploadSchema } },
  problems: ['attachments_too_large'],
});
