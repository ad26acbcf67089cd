/** Contract of `GET /suppressions`. */
import * as z from 'zod';
import { limits } from '../../lib/core/limits.ts';
import { operation } from '../../lib/http/contract.ts';
import { reasonFilter, suppressionSchema } from '../../lib/http/presenters/suppression.ts';
import { pageOf, pageQuery, spaceQuery } from '../../lib/http/schemas.ts';

export const listSuppressionsOperation = operation({
  id: 'suppressions.list',
  method: 'GET',
  path: '/api/v2/suppressions',
  summary: 'List suppressions, newest first',
  description: 'Lists suppressions, newest first. With a filter, pages can have fewer of them than `limit`.',
  scope: 'read',
  budget: 'read',
  access: ['table:query'],
  params: z.strictObject({}),
  query: z.strictObject({
    ...pageQuery,
    ...spaceQuery,
    key: z
      .string()
      .min(1)
      .max(limits.suppressionKeyCharacters)
      .optional()
      .meta({
        examples: ['newsletter'],
        description: 'Only suppressions of exactly this list.',
      }),
    reason: reasonFilter,
    address: z
      .string()
      .min(1)
      .max(limits.queryCharacters)
      .optional()
      .meta({
        examples: ['example.com'],
        description: 'Only addresses that contain this text; ignores case.',
      }),
  }),
  body: null,
  responses: { 200: { description: 'A page of suppressions.', body: pageOf(suppressionSchema) } },
  problems: [],
});
