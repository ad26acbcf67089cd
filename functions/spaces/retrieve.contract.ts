/** Contract of `GET /spaces/{space_id}`. */
import * as z from 'zod';
import { operation } from '../../lib/http/contract.ts';
import { spaceSchema } from '../../lib/http/presenters/space.ts';
import { idSchema } from '../../lib/http/schemas.ts';

export const retrieveSpaceOperation = operation({
  id: 'spaces.retrieve',
  method: 'GET',
  path: '/api/v2/spaces/{space_id}',
  summary: 'Retrieve a Space',
  description: 'Returns a Space; a deleted one is `not_found`.',
  scope: 'read',
  budget: 'read',
  access: [],
  params: z.strictObject({ space_id: idSchema('spc') }),
  query: z.strictObject({}),
  body: null,
  responses: { 200: { description: 'The Space.', body: spaceSchema } },
  problems: [],
});
