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
    'The link works without a key for 15 minutes. The file is saved under its own name; what a browser would run is ' +
    'served as `application/octet-stream`.',
  scope: 'read',
  budget: 'read',
  access: ['content:get'],
  params: z.strictObject({ attachment_id: idSchema('att') }),
  query: z.strictObject({}),
  body: null,
  answers: {
    307: {
      description: 'Where the file is.',
      body: null,
      headers: { Location: 'A signed link to the file.' },
    },
  },
  problems: [],
});
