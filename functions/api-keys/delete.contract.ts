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
    'Permanent, and effective with the next request. A key may delete itself, and the last `full` key may be ' +
    'deleted: the operator can make a new one.',
  scope: 'full',
  budget: 'read',
  access: ['table:delete'],
  params: z.strictObject({ key_id: idSchema('key') }),
  query: z.strictObject({}),
  body: null,
  answers: { 204: { description: 'The key is deleted.', body: null } },
  problems: [],
});
