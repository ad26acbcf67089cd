/** Response headers in the OpenAPI documents. */
import type { Json } from './openapi-schemas.ts';

/** Components that the headers of responses refer to. */
export const headerComponents: Json = {
  RequestId: {
    description: "The client's `X-Request-ID` when it is valid, else a new one.",
    schema: { type: 'string' },
  },
  CacheControl: { description: 'Always `private, no-store`.', schema: { type: 'string' } },
  RateLimitLimit: { description: 'The units of the full request budget.', schema: { type: 'integer' } },
  RateLimitRemaining: { description: 'The units that are left.', schema: { type: 'integer' } },
  RateLimitReset: {
    description: 'Seconds until the budget is full.',
    schema: { type: 'integer' },
  },
};

export const everyResponse: Json = {
  'X-Request-ID': { $ref: '#/components/headers/RequestId' },
  'Cache-Control': { $ref: '#/components/headers/CacheControl' },
};

/** `401` and `403` come before the request budget. Only `429` has these in the document, which says it once, in `info`. */
export const admittedResponse: Json = {
  ...everyResponse,
  'RateLimit-Limit': { $ref: '#/components/headers/RateLimitLimit' },
  'RateLimit-Remaining': { $ref: '#/components/headers/RateLimitRemaining' },
  'RateLimit-Reset': { $ref: '#/components/headers/RateLimitReset' },
};

/** @param headers name to description */
export function describeHeaders(headers: Readonly<Record<string, string>>, more: Json = {}): Json {
  return Object.fromEntries(
    Object.entries(headers).map(([name, description]) => [
      name,
      { description, ...more, schema: { type: 'string' } },
    ]),
  );
}
