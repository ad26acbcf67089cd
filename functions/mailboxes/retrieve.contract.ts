/** Contract of `GET /mailboxes/{mailbox_id}`. */
import * as z from 'zod';
import { operation } from '../../lib/http/contract.ts';
import { mailboxSchema } from '../../lib/http/presenters/mailbox.ts';
import { idSchema } from '../../lib/http/schemas.ts';

export const retrieveMailboxOperation = operation({
  id: 'mailboxes.retrieve',
  method: 'GET',
  path: '/api/v2/mailboxes/{mailbox_id}',
  summary: 'Retrieve a mailbox',
  scope: 'read',
  budget: 'read',
  access: [],
  params: z.strictObject({ mailbox_id: idSchema('mbx') }),
  query: z.strictObject({}),
  body: null,
  responses: { 200: { description: 'The mailbox.', body: mailboxSchema } },
  problems: [],
});
