/** Contract of `DELETE /members/{member_id}`. */
import * as z from 'zod';
import { operation } from '../../lib/http/contract.ts';
import { idSchema } from '../../lib/http/schemas.ts';

export const deleteMemberOperation = operation({
  id: 'members.delete',
  method: 'DELETE',
  path: '/api/v2/members/{member_id}',
  summary: 'Remove a member',
  description:
    'Ends the membership: the sessions of the member are refused from the next request on. API keys that the member ' +
    'created stay. Owners are removed by an owner in the console, or by the operator; to others the answer is `403`.',
  scope: 'full',
  budget: 'read',
  access: ['table:query', 'table:put', 'table:delete', 'table:check'],
  params: z.strictObject({ member_id: idSchema('mem') }),
  query: z.strictObject({}),
  body: null,
  responses: { 204: { description: 'The membership has ended.', body: null } },
  problems: ['last_owner'],
});
