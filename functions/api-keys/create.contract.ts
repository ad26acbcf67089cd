/** Contract of `POST /api-keys`. */
import * as z from 'zod';
import { limits } from '../../lib/core/limits.ts';
import { operation } from '../../lib/http/contract.ts';
import { newApiKeySchema, scopeSchema } from '../../lib/http/presenters/api-key.ts';

export const createApiKeyOperation = operation({
  id: 'api-keys.create',
  method: 'POST',
  path: '/api/v2/api-keys',
  summary: 'Create an API key',
  description: 'The response is the only one that contains `key`.',
  scope: 'full',
  budget: 'read',
  access: ['table:put'],
  params: z.strictObject({}),
  query: z.strictObject({}),
  body: z
    .strictObject({ name: z.string().min(1).max(limits.nameCharacters), scope: scopeSchema })
    .meta({ id: 'CreateApiKey', examples: [{ name: 'Production', scope: 'sending' }] }),
  responses: { 201: { description: 'The API key, with `key`.', body: newApiKeySchema } },
  problems: [],
});
