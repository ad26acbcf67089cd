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

interface Throttled {
  readonly description: string;
  readonly headers: Json;
  readonly content: Readonly<Record<string, { readonly schema: Json }>>;
}

/** The responses of an operation with those of the gateway: its own 429 has another body than that of the API. */
export function withGatewayResponses(responses: Json): Json {
  const { 429: throttled } = responses;
  return {
    ...responses,
    ...(throttled !== undefined && { 429: withGatewayBody(throttled as Throttled) }),
    503: { $ref: '#/components/responses/Unavailable' },
  };
}

function withGatewayBody({ description, headers, content }: Throttled): Json {
  const gatewayError = { $ref: '#/components/schemas/GatewayError' };
  const own = content['application/json']?.schema;
  return {
    description: `${description} Of the gateway above the rate of the deployment, without these headers.`,
    headers,
    content: {
      ...content,
      'application/json': { schema: own ? { anyOf: [own, gatewayError] } : gatewayError },
    },
  };
}
