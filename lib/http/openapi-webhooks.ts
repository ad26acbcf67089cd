/** The webhooks in the OpenAPI documents: one for each event type. */
import { eventTypes, eventTypeTable } from '../core/webhooks/event-types.ts';
import { v1EventTypes } from '../core/webhooks/v1-format.ts';
import { type Json, jsonBody, type SchemaCollector } from './openapi-schemas.ts';
import { pascalCase } from './operation-names.ts';
import { eventBodies } from './presenters/events.ts';
import { v1WebhookBodies } from './presenters/v1/webhook.ts';
import type { ApiVersion } from './versions.ts';

interface Description {
  readonly webhooks: Json;
  /** Components that the webhooks refer to. */
  readonly parameters: Json;
  readonly responses: Json;
}

/** @param brand of the deployment, which the names of headers contain */
export function describeWebhooks(version: ApiVersion, brand: string, schemas: SchemaCollector): Description {
  return version === 1 ? v1Webhooks(brand, schemas) : v2Webhooks(brand, schemas);
}

/** Of endpoints of format `v1`. */
function v1Webhooks(brand: string, schemas: SchemaCollector): Description {
  const headers = {
    [`X-${brand}-Timestamp`]: 'Unix seconds of sending, where the endpoint has a secret.',
    [`X-${brand}-Signature`]:
      '`sha256=<hex>`: HMAC-SHA256 of `<timestamp>.<raw body>` under the secret of the endpoint, where it has one.',
  };
  const parameters = describeParameters(headers, { required: false, prefix: `X-${brand}-` });
  const webhooks = v1EventTypes.map((type) => {
    const event = eventTypeTable[type].v1Name;
    const post = {
      operationId: event,
      summary: `The webhook \`${event}\``,
      tags: ['_meta'],
      security: [],
      parameters: references(parameters),
      requestBody: { required: true, content: jsonBody(v1WebhookBodies[type].schema, schemas) },
      responses: { '2XX': { $ref: '#/components/responses/Delivered' } },
    };
    return [event, { post }];
  });
  const description =
    'The delivery succeeded. With another answer, or none within 30 seconds, it failed, and is not retried.';
  return { webhooks: Object.fromEntries(webhooks), parameters, responses: { Delivered: { description } } };
}

function v2Webhooks(brand: string, schemas: SchemaCollector): Description {
  const headers = {
    [`${brand}-Signature`]:
      '`t=<unix seconds>,v1=<hex>`: HMAC-SHA256 of `<t>.<raw body>` under the whole secret; one `v1` for each valid secret.',
    [`${brand}-Event-ID`]: 'The `id` of the event.',
    'webhook-id': 'The `id` of the event (Standard Webhooks).',
    'webhook-timestamp': 'Unix seconds (Standard Webhooks).',
    'webhook-signature':
      '`v1,<base64>`, separated by spaces (Standard Webhooks): HMAC-SHA256 of `<webhook-id>.<webhook-timestamp>.<raw body>` ' +
      'under the 32 bytes that the secret encodes; one for each valid secret.',
  };
  const parameters = describeParameters(headers, { required: true, prefix: `${brand}-` });
  const webhooks = eventTypes.map((type) => {
    const post = {
      operationId: type,
      summary: eventTypeTable[type].summary,
      tags: ['webhook-endpoints'],
      security: [],
      parameters: references(parameters),
      requestBody: { required: true, content: jsonBody(eventBodies[type].schema, schemas) },
      responses: { '2XX': { $ref: '#/components/responses/Delivered' } },
    };
    return [type, { post }];
  });
  const description =
    'The delivery succeeded. With another answer, or none within 10 seconds, the attempt failed, and the delivery is retried.';
  return { webhooks: Object.fromEntries(webhooks), parameters, responses: { Delivered: { description } } };
}

/** Components of headers, by a name without the brand: `DeliverySignature`. */
function describeParameters(
  headers: Readonly<Record<string, string>>,
  { required, prefix }: { required: boolean; prefix: string },
): Json {
  return Object.fromEntries(
    Object.entries(headers).map(([name, description]) => [
      pascalCase(name.startsWith(prefix) ? `delivery-${name.slice(prefix.length)}` : name),
      { name, in: 'header', required, description, schema: { type: 'string' } },
    ]),
  );
}

const references = (parameters: Json): Json[] =>
  Object.keys(parameters).map((name) => ({ $ref: `#/components/parameters/${name}` }));
