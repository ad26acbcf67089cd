/** Contract of `GET /spaces`. */
import * as z from 'zod';
import { limits } from '../../lib/core/limits.ts';
import { operation } from '../../lib/http/contract.ts';
import { spaceSchema } from '../../lib/http/presenters/space.ts';
import { pageOf, pageQuery } from '../../lib/http/schemas.ts';

export const listSpacesOperation = operation({
  id: 'spaces.list',
  method: 'GET',
  path: '/api/v2/spaces',
  summary: 'List Spaces',
  description:
    'Lists the Spaces, oldest first. With `external_id`, the page has the Space with that id, or ' + 'none.',
  scope: 'read',
  budget: 'read',
  access: ['table:query'],
  params: z.strictObject({}),
  query: z.strictObject({
    ...pageQuery,
    external_id: z
      .string()
      .max(limits.externalIdCharacters)
      .optional()
      .meta({
        examples: ['customer-4711'],
        description: 'Only the Space with exactly this `external_id`.',
      }),
  }),
  body: null,
  responses: { 200: { description: 'A page of Spaces.', body: pageOf(spaceSchema) } },
  problems: [],
});
