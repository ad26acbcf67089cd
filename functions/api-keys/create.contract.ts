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
    'Creates a key. The response is the only one that contains it, in `key`. A key that expires, or is allowed from ' +
    'some networks only, creates keys that expire no later and are allowed from these networks only: a later ' +
    '`expires_at` and wider `allowed_ips` are cut to its own.',
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
      id: 'CreateApiKey',
      description: 'The scope and restrictions of a new key.',
      examples: [{ name: 'Production', scope: 'sending' }],
    }),
  responses: { 201: { description: 'The API key, with `key`.', body: newApiKeySchema } },
  problems: ['limit_reached'],
});
