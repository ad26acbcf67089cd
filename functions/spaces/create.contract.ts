/** Contract of `POST /spaces`. */
import * as z from 'zod';
import { operation } from '../../lib/http/contract.ts';
import { spaceFields, spaceSchema } from '../../lib/http/presenters/space.ts';

export const createSpaceOperation = operation({
  id: 'spaces.create',
  method: 'POST',
  path: '/api/v2/spaces',
  summary: 'Create a Space',
  description:
    'Creates a Space, in which domains, mailboxes, suppressions and pacing rules can then be created. An ' +
    '`external_id` that another Space has is refused with `external_id_taken`. A workspace can have 100,000 Spaces.',
  scope: 'full',
  budget: 'read',
  access: ['table:query', 'table:put', 'table:update'],
  params: z.strictObject({}),
  query: z.strictObject({}),
  body: z.strictObject({ name: spaceFields.name, external_id: spaceFields.external_id.default(null) }).meta({
    description: 'A new Space.',
    examples: [{ name: 'Acme', external_id: 'customer-4711' }],
  }),
  responses: { 201: { description: 'The Space.', body: spaceSchema } },
  problems: ['external_id_taken', 'limit_reached'],
});
