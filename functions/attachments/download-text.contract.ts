/** Contract of `GET /attachments/{attachment_id}/content`. */
import * as z from 'zod';
import { operation } from '../../lib/http/contract.ts';
import { idSchema } from '../../lib/http/schemas.ts';

export const downloadAttachmentTextOperation = operation({
  id: 'attachments.download-text',
  method: 'GET',
  path: '/api/v2/attachments/{attachment_id}/content',
  summary: 'Download the extracted text of an attachment',
  description:
    'Redirects to a link to the text that was extracted from a received file: Markdown for documents with headings, ' +
    'lists or tables, else plain text. While there is no text, the answer is `not_prepared`. The link is valid for ' +
    '15 minutes and needs no key.',
  scope: 'read',
  budget: 'read',
  access: ['content:get'],
  params: z.strictObject({ attachment_id: idSchema('att') }),
  query: z.strictObject({}),
  body: null,
  responses: {
    307: {
      description: 'A redirect to the text.',
      body: null,
      headers: { Location: 'A signed link to the text.' },
    },
  },
  problems: ['not_prepared'],
});
