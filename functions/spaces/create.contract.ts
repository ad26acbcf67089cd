/** Contract of `POST /spaces`. */
import * as z from 'zod';
import { operation } from '../../lib/http/contract.ts';
import { spaceFields, spaceSchema } from '../../lib/http/presenters/space.ts';

export const createSpaceOperation = operation({
  id: 'spaces.create',
  method: 'POST',
  path: '/api/v2/spaces',
  summary: 'Create a Space',
  scope: 'full',
  budget: 'read',
  access: ['table:query', 'table:put', 'table:update'],
  params: z.strictObject({}),
  query: z.strictObject({}),
  body: z.strictObject({ name: spaceFields.name, external_id: spaceFields.external_id.default(null) }).meta({
    id: 'CreateSpace',
    description: 'A new Space.',
    examples: [{ name: 'Acme', external_id: 'customer-4711' }],
  }),
  responses: { 201: { description: 'The Space.', body: spaceSchema } },
  problems: ['external_id_taken', 'limit_reached'],
});
