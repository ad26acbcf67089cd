/** Contract of `PATCH /emails/{email_id}`. */
import * as z from 'zod';
import { operation } from '../../lib/http/contract.ts';
import { draftEditInput } from '../../lib/http/presenters/draft.ts';
import { emailSchema } from '../../lib/http/presenters/email.ts';
import { idSchema } from '../../lib/http/schemas.ts';

export const updateEmailOperation = operation({
  id: 'emails.update',
  method: 'PATCH',
  path: '/api/v2/emails/{email_id}',
  summary: 'Edit a draft, or reschedule an email',
  description:
    'Edits a draft: each given field replaces the one of the draft, and the draft gets the next `version`. `text` and ' +
    '`html` replace the body together: what is not given of them is made from the other, or is not there. Of an email that ' +
    'is `scheduled`, only `scheduled_at` can be changed; any other is refused with `not_scheduled`, or `not_draft` where ' +
    'other fields are given. A key of scope `draft` edits drafts only.',
  scope: 'draft',
  budget: 'read',
  access: [
    'table:query',
    'table:put',
    'table:write-many',
    'table:update',
    'table:delete',
    'content:get',
    'content:put',
    'content:delete',
  ],
  params: z.strictObject({ email_id: idSchema('eml') }),
  query: z.strictObject({}),
  body: draftEditInput,
  responses: { 200: { description: 'The draft, or the email with its new time.', body: emailSchema } },
  problems: ['not_scheduled', 'not_draft', 'draft_changed', 'attachments_too_large', 'not_found'],
  memoryMb: 1024,
});
