/** `GET /api/v2/openapi.json`: the description of the API, made from the contracts at the first request. */
import { env } from '../../lib/env.ts';
import { openApiDocument } from '../../lib/http/openapi.ts';
import { servePublic } from '../../lib/http/serve-public.ts';
import { operations } from '../operations.ts';

const documents = new Map<string, string>();

export const handler = servePublic('openapi', ({ baseUrl }) => {
  const known = documents.get(baseUrl);
  if (known !== undefined) return known;
  const document = JSON.stringify(openApiDocument(operations, { baseUrl, brand: env().BRAND }));
  documents.set(baseUrl, document);
  return document;
});
