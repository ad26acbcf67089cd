/** Contract of `GET /mailboxes`. */
import * as z from 'zod';
import { operation } from '../../lib/http/contract.ts';
import { mailboxSchema } from '../../lib/http/presenters/mailbox.ts';
import { pageOf, pageQuery, spaceQuery } from '../../lib/http/schemas.ts';

export const listMailboxesOperation = operation({
  id: 'mailboxes.list',
  method: 'GET',
  path: '/api/v2/mailboxes',
  summary: 'List mailboxes, oldest first',
  description: 'Lists the mailboxes, disconnected ones included.',
  scope: 'read',
  budget: 'read',
  access: ['table:query'],
  params: z.strictObject({}),
  query: z.strictObject({ ...pageQuery, ...spaceQuery }),
  body: null,
  responses: { 200: { description: 'A page of mailboxes.', body: pageOf(mailboxSchema) } },
  problems: [],
});
