/** Contract of `PATCH /oauth-apps/{app_id}`. */
import * as z from 'zod';
import { operation } from '../../lib/http/contract.ts';
import { oauthAppFields, oauthAppSchema } from '../../lib/http/presenters/oauth-app.ts';
import { idSchema } from '../../lib/http/schemas.ts';

export const updateOauthAppOperation = operation({
  id: 'oauth-apps.update',
  method: 'PATCH',
  path: '/api/v2/oauth-apps/{app_id}',
  summary: 'Update an OAuth app',
  description:
    'Changes the given fields; `return_urls` are given whole. A new `client_secret` is used from the next refresh of a token ' +
    'on. Tokens belong to a client: with another `client_id`, mailboxes of the app need a new consent.',
  scope: 'full',
  budget: 'read',
  access: ['table:put', 'secrets:encrypt:oauth-app-secret'],
  params: z.strictObject({ app_id: idSchema('app') }),
  query: z.strictObject({}),
  body: z
    .strictObject(oauthAppFields)
    .partial()
    .meta({
      description: 'The fields to change, at least one.',
      minProperties: 1,
      examples: [{ tagline: 'Your inbox in Acme.' }],
    }),
  responses: { 200: { description: 'The updated OAuth app.', body: oauthAppSchema } },
  problems: ['invalid_return_url'],
});
