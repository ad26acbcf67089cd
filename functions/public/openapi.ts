/** `GET /api/v2/openapi.json`: the OpenAPI document, built on the first request. */
import { env } from '../../lib/env.ts';
import { openApiDocument } from '../../lib/http/openapi.ts';
import { servePublic } from '../../lib/http/serve-public.ts';
import { groups, operations } from '../operations.ts';

const documents = new Map<string, string>();

export const handler = servePublic('openapi', ({ baseUrl }) => {
  const cached = documents.get(baseUrl);
  if (cached !== undefined) return cached;
  const document = JSON.stringify(openApiDocument({ operations, groups }, { baseUrl, brand: env().BRAND }));
  documents.set(baseUrl, document);
  return document;
});
