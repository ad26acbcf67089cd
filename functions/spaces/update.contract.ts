/** Contract of `PATCH /spaces/{space_id}`. */
import * as z from 'zod';
import { operation } from '../../lib/http/contract.ts';
import { spaceFields, spaceSchema } from '../../lib/http/presenters/space.ts';
import { idSchema } from '../../lib/http/schemas.ts';

export const updateSpaceOperation = operation({
  id: 'spaces.update',
  method: 'PATCH',
  path: '/api/v2/spaces/{space_id}',
  summary: 'Update a Space',
  description: 'Changes the given fields. Resources in the Space keep their `space_id`.',
  scope: 'full',
  budget: 'read',
  access: ['table:put', 'table:update', 'table:delete'],
  params: z.strictObject({ space_id: idSchema('spc') }),
  query: z.strictObject({}),
  body: z
    .strictObject(spaceFields)
    .partial()
    .meta({
      description: 'The fields to change, at least one.',
      minProperties: 1,
      examples: [{ name: 'Acme Ltd' }],
    }),
  responses: { 200: { description: 'The updated Space.', body: spaceSchema } },
  problems: ['external_id_taken'],
});
