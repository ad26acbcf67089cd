/** Serves the OpenAPI document of a version, built on the first request. */
import { env } from '../../env.ts';
import { type ApiDescription, openApiDocument } from '../openapi.ts';
import type { LambdaHandler } from '../request-context.ts';
import { servePublic } from '../serve-public.ts';

/** @param id names the function in logs */
export function serveOpenApi(id: string, description: ApiDescription): LambdaHandler {
  const documents = new Map<string, string>();
  return servePublic(id, ({ baseUrl }) => {
    const cached = documents.get(baseUrl);
    if (cached !== undefined) return cached;
    const document = JSON.stringify(openApiDocument(description, { baseUrl, brand: env().BRAND }));
    documents.set(baseUrl, document);
    return document;
  });
}
