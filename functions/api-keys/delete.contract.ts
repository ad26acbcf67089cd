/** Contract of `DELETE /api-keys/{key_id}`. */
import * as z from 'zod';
import { operation } from '../../lib/http/contract.ts';
import { idSchema } from '../../lib/http/schemas.ts';

export const deleteApiKeyOperation = operation({
  id: 'api-keys.delete',
  method: 'DELETE',
  path: '/api/v2/api-keys/{key_id}',
  summary: 'Delete an API key',
  description:
    'Deletes a key permanently: the next request with it is refused. A key can delete itself. The last `full` key is ' +
    'deleted by the operator only (`npm run admin -- key delete`); the answer is `403`.',
  scope: 'full',
  budget: 'read',
  access: ['table:delete', 'table:put', 'table:update', 'table:check', 'table:query'],
  params: z.strictObject({ key_id: idSchema('key') }),
  query: z.strictObject({}),
  body: null,
  responses: { 204: { description: 'The key is deleted.', body: null } },
  problems: [],
});
