/** Contract of `POST /oauth-apps`. */
import * as z from 'zod';
import { operation } from '../../lib/http/contract.ts';
import { newOauthAppFields, oauthAppFields, oauthAppSchema } from '../../lib/http/presenters/oauth-app.ts';

const { name, client_id, client_secret, ...optional } = oauthAppFields;

export const createOauthAppOperation = operation({
  id: 'oauth-apps.create',
  method: 'POST',
  path: '/api/v2/oauth-apps',
  summary: 'Create an OAuth app',
  description:
    'Adds your own OAuth client, through which people connect their mailboxes, at `connect_url` or by a link of ' +
    '`POST /mailboxes/connect`. Register `redirect_uri` with the provider. A slug that another ' +
    'app of any workspace has is refused with `slug_taken`. A workspace can have 50 OAuth apps.',
  scope: 'full',
  budget: 'read',
  access: ['table:query', 'table:put', 'table:update', 'secrets:encrypt:oauth-app-secret'],
  params: z.strictObject({}),
  query: z.strictObject({}),
  body: z
    .strictObject({
      ...newOauthAppFields,
      name,
      client_id,
      client_secret,
      ...z.strictObject(optional).partial().shape,
    })
    .meta({
      description: 'The OAuth client of the provider, and what the hosted page shows.',
      examples: [
        {
          provider: 'google',
          name: 'Acme Mail',
          slug: 'acme',
          client_id: '123456789012-abc.apps.googleusercontent.com',
          client_secret: 'GOCSPX-…',
          return_urls: ['https://acme.dev/connected'],
        },
      ],
    }),
  responses: { 201: { description: 'The OAuth app, without its secret.', body: oauthAppSchema } },
  problems: ['slug_taken', 'limit_reached', 'invalid_return_url'],
});
