/** `GET /docs`: the API reference, built on the first request. */
import { env } from '../../lib/env.ts';
import { openApiDocument } from '../../lib/http/openapi.ts';
import { referencePage } from '../../lib/http/pages/reference.ts';
import { type PublicResponse, servePublic } from '../../lib/http/serve-public.ts';
import { groups, operations } from '../operations.ts';

const pages = new Map<string, PublicResponse>();

export const handler = servePublic('reference-page', async ({ baseUrl }) => {
  const cached = pages.get(baseUrl);
  if (cached) return cached;
  const page = referencePage(
    openApiDocument({ operations, groups, version: 2 }, { baseUrl, brand: env().BRAND }),
  );
  pages.set(baseUrl, page);
  return page;
});
