/** Contract of `GET /oauth-apps/{app_id}`. */
import * as z from 'zod';
import { operation } from '../../lib/http/contract.ts';
import { oauthAppSchema } from '../../lib/http/presenters/oauth-app.ts';
import { idSchema } from '../../lib/http/schemas.ts';

export const retrieveOauthAppOperation = operation({
  id: 'oauth-apps.retrieve',
  method: 'GET',
  path: '/api/v2/oauth-apps/{app_id}',
  summary: 'Retrieve an OAuth app',
  scope: 'read',
  budget: 'read',
  access: [],
  params: z.strictObject({ app_id: idSchema('app') }),
  query: z.strictObject({}),
  body: null,
  responses: { 200: { description: 'The OAuth app, without its secret.', body: oauthAppSchema } },
  problems: [],
});
