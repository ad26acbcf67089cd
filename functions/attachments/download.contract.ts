/** Contract of `GET /attachments/{attachment_id}`. */
import * as z from 'zod';
import { operation } from '../../lib/http/contract.ts';
import { idSchema } from '../../lib/http/schemas.ts';

export const downloadAttachmentOperation = operation({
  id: 'attachments.download',
  method: 'GET',
  path: '/api/v2/attachments/{attachment_id}',
  summary: 'Download an attachment',
  description:
    'Redirects to a link to the file. The link is valid for 15 minutes and needs no key. The file is served as a ' +
    'download with its file name; types that a browser executes are served as `application/octet-stream`.',
  scope: 'read',
  budget: 'read',
  access: ['content:get'],
  params: z.strictObject({ attachment_id: idSchema('att') }),
  query: z.strictObject({}),
  body: null,
  responses: {
    307: {
      description: 'A redirect to the file.',
      body: null,
      headers: { Location: 'A signed link to the file.' },
    },
  },
  problems: [],
});
