/** Contract of `GET /emails/{emailId}` of version 1. */
import * as z from 'zod';
import { operation } from '../../../lib/http/contract.ts';
import { v1EmailSchema } from '../../../lib/http/presenters/v1/email.ts';
import { idSchema } from '../../../lib/http/schemas.ts';

export const retrieveV1EmailOperation = operation({
  id: 'v1.emails.retrieve',
  method: 'GET',
  path: '/api/v1/emails/{emailId}',
  summary: 'Retrieve an email or a draft',
  description: 'Returns an email or a draft with content and files. Links to files are valid for 15 minutes.',
  scope: 'read',
  budget: 'read',
  access: ['table:query', 'content:get'],
  params: z.strictObject({ emailId: idSchema('eml') }),
  query: z.strictObject({}),
  body: null,
  responses: { 200: { description: 'The email.', body: v1EmailSchema } },
  problems: [],
  memoryMb: 1024,
});
