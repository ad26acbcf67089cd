/** Contract of `GET /emails`. */
import * as z from 'zod';
import { operation } from '../../lib/http/contract.ts';
import { emailFilters, emailSchema } from '../../lib/http/presenters/email.ts';
import { idSchema, pageOf, pageQuery, searchQuery, spaceQuery } from '../../lib/http/schemas.ts';

export const listEmailsOperation = operation({
  id: 'emails.list',
  method: 'GET',
  path: '/api/v2/emails',
  summary: 'List emails, newest first',
  description:
    'Lists sent, scheduled and received email without its content, newest first. `direction`, `status` and `query` are ' +
    'filters: pages can have fewer emails than `limit`.',
  scope: 'read',
  budget: 'read, or query with a search term',
  access: ['table:query'],
  params: z.strictObject({}),
  query: z.strictObject({
    ...pageQuery,
    ...spaceQuery,
    ...searchQuery('the subject and every address and display name'),
    ...emailFilters,
    thread_id: idSchema('thr').optional().describe('Only emails of this thread.'),
  }),
  body: null,
  responses: { 200: { description: 'A page of emails.', body: pageOf(emailSchema) } },
  problems: ['invalid_thread_id', 'thread_not_found'],
});
