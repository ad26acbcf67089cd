/** What API Gateway itself answers on every operation, in the OpenAPI documents (docs/concepts/errors.md#errors-of-the-gateway). */
import type { Json } from './openapi-schemas.ts';

export const gatewayErrorReference = { $ref: '#/components/schemas/GatewayError' } as const;

/** Components of the answers that only the gateway gives. */
export const gatewayComponents = {
  schemas: {
    GatewayError: {
      type: 'object',
      description: 'An error of the gateway in front of the API, without `code`.',
      properties: { message: { type: 'string', description: 'What the gateway refused, for people.' } },
      required: ['message'],
    },
  },
  responses: {
    RequestTooLarge: {
      description:
        'Payload Too Large: of the gateway, when the request has more than 10 MB, or about 6 MB when it consists mostly of quotes.',
      content: {
        'application/json': {
          schema: gatewayErrorReference,
          example: { message: 'Request Entity Too Large' },
        },
      },
    },
    Unavailable: {
      description:
        'Service Unavailable: of the gateway, when the function of the operation cannot be invoked or takes longer than 30 seconds. Without `Retry-After`: retry with growing waits, a send with its `Idempotency-Key`.',
      content: {
        'application/json': {
          schema: gatewayErrorReference,
          example: { message: 'Service Unavailable' },
        },
      },
    },
  },
} as const satisfies Json;

/** When the gateway answers with a status that the API answers with as well. */
export const gatewayOccasions: Readonly<Record<number, string>> = {
  413: 'for a request of more than 10 MB',
  429: 'above the rate of the deployment',
};
