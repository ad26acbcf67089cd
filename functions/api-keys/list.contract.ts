/** Contract of `GET /api-keys`. */
import * as z from 'zod';
import { operation } from '../../lib/http/contract.ts';
import { apiKeySchema } from '../../lib/http/presenters/api-key.ts';
import { pageOf, pageQuery } from '../../lib/http/schemas.ts';

export const listApiKeysOperation = operation({
  id: 'api-keys.list',
  method: 'GET',
  path: '/api/v2/api-keys',
  summary: 'List API keys',
  description: 'Lists the API keys, oldest first, without the keys themselves.',
  scope: 'full',
  budget: 'read',
  access: ['table:query'],
  params: z.strictObject({}),
  query: z.strictObject(pageQuery),
  body: null,
  responses: { 200: { description: 'A page of API keys.', body: pageOf(apiKeySchema) } },
  problems: [],
});
