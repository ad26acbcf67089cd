/** Contract of `GET /attachments/{attachment_id}/content`. */
import * as z from 'zod';
import { operation } from '../../lib/http/contract.ts';
import { idSchema } from '../../lib/http/schemas.ts';

export const downloadAttachmentTextOperation = operation({
  id: 'attachments.download-text',
  method: 'GET',
  path: '/api/v2/attachments/{attachment_id}/content',
  summary: 'Download an attachment as text',
  description:
    'Markdown where the document has headings, lists or tables. The link works without a key for 15 minutes.',
  scope: 'read',
  budget: 'read',
  access: ['content:get'],
  params: z.strictObject({ attachment_id: idSchema('att') }),
  query: z.strictObject({}),
  body: null,
  answers: {
    307: {
      description: 'Where the text is.',
      body: null,
      headers: { Location: 'A signed link to the text.' },
    },
  },
  problems: ['not_prepared'],
});
