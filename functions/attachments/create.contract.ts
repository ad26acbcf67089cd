/** Contract of `POST /attachments`. */
import * as z from 'zod';
import { operation } from '../../lib/http/contract.ts';
import { uploadInput, uploadSchema } from '../../lib/http/presenters/upload.ts';

export const createAttachmentOperation = operation({
  id: 'attachments.create',
  method: 'POST',
  path: '/api/v2/attachments',
  summary: 'Upload an attachment ahead of its email',
  description:
    'For files that a request does not hold: about 3 MB fit into a send. PUT the file to `upload_url` with ' +
    '`upload_headers`, then name its id in `attachments` of a send, a reply or a forward, as ' +
    '`{"attachment_id": "att_…"}`. Each email gets a copy of its own, under an id of its own; the upload can be named ' +
    'again until it expires after a day.',
  scope: 'sending',
  budget: 'read',
  access: ['table:put', 'content:put'],
  params: z.strictObject({}),
  query: z.strictObject({}),
  body: uploadInput,
  answers: { 201: { description: 'Where to put the file.', body: uploadSchema } },
  problems: ['attachments_too_large'],
});
