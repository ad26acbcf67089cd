/** Contract of `GET /emails/{email_id}/engagements`. */
import * as z from 'zod';
import { operation } from '../../lib/http/contract.ts';
import { engagementSchema } from '../../lib/http/presenters/full-email.ts';
import { idSchema, pageOf, pageQuery } from '../../lib/http/schemas.ts';

export const listEmailEngagementsOperation = operation({
  id: 'emails.list-engagements',
  method: 'GET',
  path: '/api/v2/emails/{email_id}/engagements',
  summary: 'List the opens and clicks of an email, newest first',
  description: 'Lists the recorded opens and clicks, at most 1,000, in the order of recording.',
  scope: 'read',
  budget: 'read',
  access: ['table:query'],
  params: z.strictObject({ email_id: idSchema('eml') }),
  query: z.strictObject({ ...pageQuery }),
  body: null,
  responses: { 200: { description: 'A page of opens and clicks.', body: pageOf(engagementSchema) } },
  problems: [],
});
