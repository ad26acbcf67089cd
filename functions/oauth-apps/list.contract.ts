/** Contract of `GET /oauth-apps`. */
import * as z from 'zod';
import { operation } from '../../lib/http/contract.ts';
import { oauthAppSchema } from '../../lib/http/presenters/oauth-app.ts';
import { pageOf, pageQuery } from '../../lib/http/schemas.ts';

export const listOauthAppsOperation = operation({
  id: 'oauth-apps.list',
  method: 'GET',
  path: '/api/v2/oauth-apps',
  summary: 'List OAuth apps',
  description: 'Lists the OAuth apps, oldest first, without their secrets.',
  scope: 'read',
  budget: 'read',
  access: ['table:query'],
  params: z.strictObject({}),
  query: z.strictObject(pageQuery),
  body: null,
  responses: { 200: { description: 'A page of OAuth apps.', body: pageOf(oauthAppSchema) } },
  problems: [],
});
