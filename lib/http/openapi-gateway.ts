/** What API Gateway itself answers on every operation, in the OpenAPI documents (docs/concepts/errors.md#errors-of-the-gateway). */
import type { Json } from './openapi-schemas.ts';

/** Components that `withGatewayResponses` refers to. */
export const gatewayComponents = {
  schemas: {
    GatewayError: {
      type: 'object',
      description: 'An error of the gateway in front of the API, without `code`.',
      properties: { message: { type: 'string' } },
      required: ['message'],
    },
  },
  responses: {
    RequestTooLarge: {
      description:
        'Payload Too Large: of the gateway, when the request has more than 10 MB, or about 6 MB when it consists mostly of quotes.',
      content: {
        'application/json': {
          schema: { $ref: '#/components/schemas/GatewayError' },
          example: { message: 'Request Entity Too Large' },
        },
      },
    },
    Unavailable: {
      description:
        'Service Unavailable: of the gateway, when the function of the operation cannot be invoked or takes longer than 30 seconds. Without `Retry-After`: retry with growing waits, a send with its `Idempotency-Key`.',
      content: {
        'application/json': {
          schema: { $ref: '#/components/schemas/GatewayError' },
          example: { message: 'Service Unavailable' },
        },
      },
    },
  },
} as const satisfies Json;

/** An error that the operation has as well. */
interface OwnError {
  readonly description: string;
  readonly headers: Json;
  readonly content: Readonly<Record<string, { readonly schema: Json }>>;
}

/** The responses of an operation with those of the gateway: its own 413 and 429 have another body than those of the API. */
export function withGatewayResponses(responses: Json, { takesBody }: { takesBody: boolean }): Json {
  const { 413: tooLarge, 429: throttled } = responses;
  return {
    ...responses,
    ...(takesBody && {
      413: tooLarge
        ? withGatewayBody(tooLarge as OwnError, 'for a request of more than 10 MB')
        : { $ref: '#/components/responses/RequestTooLarge' },
    }),
    ...(throttled !== undefined && {
      429: withGatewayBody(throttled as OwnError, 'above the rate of the deployment'),
    }),
    503: { $ref: '#/components/responses/Unavailable' },
  };
}

function withGatewayBody({ description, headers, content }: OwnError, when: string): Json {
  const gatewayError = { $ref: '#/components/schemas/GatewayError' };
  const own = content['application/json']?.schema;
  return {
    description: `${description} Of the gateway ${when}, without these headers.`,
    headers,
    content: {
      ...content,
      'application/json': { schema: own ? { anyOf: [own, gatewayError] } : gatewayError },
    },
  };
}
