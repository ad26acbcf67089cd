/** Contract of `PATCH /members/{member_id}`. */
import * as z from 'zod';
import { operation } from '../../lib/http/contract.ts';
import { memberSchema, outageMailSchema, roleSchema } from '../../lib/http/presenters/member.ts';
import { idSchema } from '../../lib/http/schemas.ts';

export const updateMemberOperation = operation({
  id: 'members.update',
  method: 'PATCH',
  path: '/api/v2/members/{member_id}',
  summary: 'Update a member',
  description:
    'Changes the given fields. A role counts with the next request of the member. Owners are made and changed by an ' +
    'owner in the console, or by the operator; to others the answer is `403`.',
  scope: 'full',
  budget: 'read',
  access: ['table:query', 'table:put', 'table:update', 'table:check'],
  params: z.strictObject({ member_id: idSchema('mem') }),
  query: z.strictObject({}),
  body: z
    .strictObject({ role: roleSchema, outage_mail: outageMailSchema })
    .partial()
    .meta({
      description: 'The fields to change, at least one.',
      minProperties: 1,
      examples: [{ role: 'admin' }],
    }),
  responses: { 200: { description: 'The updated member.', body: memberSchema } },
  problems: ['last_owner'],
});
