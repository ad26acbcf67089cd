/** Contract of `GET /suppressions`. */
import * as z from 'zod';
import { limits } from '../../lib/core/limits.ts';
import { suppressionReasons } from '../../lib/core/suppressions/suppression.ts';
import { operation } from '../../lib/http/contract.ts';
import { suppressionSchema } from '../../lib/http/presenters/suppression.ts';
import { pageOf, pageQuery, spaceQuery } from '../../lib/http/schemas.ts';

export const listSuppressionsOperation = operation({
  id: 'suppressions.list',
  method: 'GET',
  path: '/api/v2/suppressions',
  summary: 'List suppressions, newest first',
  description:
    'With a filter, one request examines a bounded number of suppressions: a page can contain fewer than `limit`, even ' +
    'none, while `next_cursor` is not null.',
  scope: 'read',
  budget: 'read',
  access: ['table:query'],
  params: z.strictObject({}),
  query: z.strictObject({
    ...pageQuery,
    ...spaceQuery,
    key: z.string().min(1).max(limits.suppressionKeyCharacters).optional().describe('Exact match.'),
    reason: z.enum(suppressionReasons).optional(),
    address: z
      .string()
      .min(1)
      .max(limits.queryCharacters)
      .optional()
      .describe('A substring of the address; ignores case.'),
  }),
  body: null,
  responses: { 200: { description: 'A page of suppressions.', body: pageOf(suppressionSchema) } },
  problems: [],
});
