/** Contract of `DELETE /oauth-apps/{app_id}`. */
import * as z from 'zod';
import { operation } from '../../lib/http/contract.ts';
import { idSchema } from '../../lib/http/schemas.ts';

export const deleteOauthAppOperation = operation({
  id: 'oauth-apps.delete',
  method: 'DELETE',
  path: '/api/v2/oauth-apps/{app_id}',
  summary: 'Delete an OAuth app',
  description:
    'Deletes an OAuth app. No mailbox is connected through it any more, and its slug is free. Its mailboxes work ' +
    'until their authorization lapses.',
  scope: 'full',
  budget: 'read',
  access: ['table:query', 'table:put', 'table:update', 'table:delete'],
  params: z.strictObject({ app_id: idSchema('app') }),
  query: z.strictObject({}),
  body: null,
  responses: { 204: { description: 'The OAuth app is deleted.', body: null } },
  problems: [],
});
