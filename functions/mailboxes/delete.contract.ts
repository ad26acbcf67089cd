/** Contract of `DELETE /mailboxes/{mailbox_id}`. */
import * as z from 'zod';
import { operation } from '../../lib/http/contract.ts';
import { mailboxSchema } from '../../lib/http/presenters/mailbox.ts';
import { idSchema } from '../../lib/http/schemas.ts';

export const deleteMailboxOperation = operation({
  id: 'mailboxes.delete',
  method: 'DELETE',
  path: '/api/v2/mailboxes/{mailbox_id}',
  summary: 'Disconnect a mailbox',
  description:
    'Disconnects a mailbox: it neither sends nor receives any more. Its authorization is revoked at the provider and ' +
    'its credentials are destroyed in the background; its mail stays. Connected again, it has the same id, Space and ' +
    'history. Repeated, it changes nothing.',
  scope: 'full',
  budget: 'read',
  access: ['table:put', 'table:update'],
  params: z.strictObject({ mailbox_id: idSchema('mbx') }),
  query: z.strictObject({}),
  body: null,
  responses: { 200: { description: 'The mailbox, `disconnected`.', body: mailboxSchema } },
  problems: [],
});
