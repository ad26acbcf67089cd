/** Contract of `DELETE /spaces/{space_id}`. */
import * as z from 'zod';
import { operation } from '../../lib/http/contract.ts';
import { idSchema } from '../../lib/http/schemas.ts';

export const deleteSpaceOperation = operation({
  id: 'spaces.delete',
  method: 'DELETE',
  path: '/api/v2/spaces/{space_id}',
  summary: 'Delete a Space',
  description:
    'Deletes a Space with everything in it. From the response on, nothing in it is found: its domains neither send ' +
    'nor receive, and its mail, suppressions and events are in no list. All of it is removed for good in the ' +
    'background. Its `external_id` is free at once.',
  scope: 'full',
  budget: 'read',
  access: ['table:put', 'table:update', 'table:delete'],
  params: z.strictObject({ space_id: idSchema('spc') }),
  query: z.strictObject({}),
  body: null,
  responses: { 204: { description: 'The Space is deleted.', body: null } },
  problems: ['limit_reached'],
});
