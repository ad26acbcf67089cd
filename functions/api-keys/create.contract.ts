/** Contract of `POST /api-keys`. */
import * as z from 'zod';
import { operation } from '../../lib/http/contract.ts';
import {
  keyNameInput,
  keyRestrictions,
  newApiKeySchema,
  scopeSchema,
} from '../../lib/http/presenters/api-key.ts';

export const createApiKeyOperation = operation({
  id: 'api-keys.create',
  method: 'POST',
  path: '/api/v2/api-keys',
  summary: 'Create an API key',
  description:
    'Creates a key, which only this response contains. A later `expires_at` and wider `allowed_ips` than those of the ' +
    'key of the request are cut to these.',
  scope: 'full',
  budget: 'read',
  access: ['table:put', 'table:update', 'table:query', 'table:check'],
  params: z.strictObject({}),
  query: z.strictObject({}),
  body: z
    .strictObject({
      name: keyNameInput,
      scope: scopeSchema,
      ...keyRestrictions,
    })
    .meta({
      description: 'The scope and restrictions of a new key.',
      examples: [{ name: 'Production', scope: 'sending' }],
    }),
  responses: { 201: { description: 'The API key, with `key`.', body: newApiKeySchema } },
  problems: ['limit_reached'],
});
