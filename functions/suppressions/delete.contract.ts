/** Contract of `DELETE /suppressions/{suppression_id}`. */
import * as z from 'zod';
import { operation } from '../../lib/http/contract.ts';
import { idSchema } from '../../lib/http/schemas.ts';

export const deleteSuppressionOperation = operation({
  id: 'suppressions.delete',
  method: 'DELETE',
  path: '/api/v2/suppressions/{suppression_id}',
  summary: 'Delete a suppression',
  description:
    'Takes an address off a suppression list: the next send reaches it again, unless another suppression applies.',
  scope: 'full',
  budget: 'read',
  access: ['table:update', 'table:delete'],
  params: z.strictObject({ suppression_id: idSchema('sup') }),
  query: z.strictObject({}),
  body: null,
  responses: { 204: { description: 'The suppression is deleted.', body: null } },
  problems: [],
});
