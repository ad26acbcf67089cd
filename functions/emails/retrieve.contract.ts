/** Contract of `GET /emails/{email_id}`. */
import * as z from 'zod';
import { operation } from '../../lib/http/contract.ts';
import { fullEmailSchema } from '../../lib/http/presenters/full-email.ts';
import { idSchema } from '../../lib/http/schemas.ts';

export const retrieveEmailOperation = operation({
  id: 'emails.retrieve',
  method: 'GET',
  path: '/api/v2/emails/{email_id}',
  summary: 'Retrieve an email',
  description:
    'Returns an email with content, files, verdicts and history. Links to files are valid for 15 minutes.',
  scope: 'read',
  budget: 'read',
  access: ['table:query', 'content:get'],
  params: z.strictObject({ email_id: idSchema('eml') }),
  query: z.strictObject({
    include: z
      .literal('attachment_content')
      .optional()
      .describe(
        '`attachment_content` fills `text` of attachments with their extracted text, at most 256 KB each.',
      ),
  }),
  body: null,
  responses: { 200: { description: 'The email with its content and history.', body: fullEmailSchema } },
  problems: [],
});
