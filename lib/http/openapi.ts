/** The OpenAPI 3.1 document of each version of the API, derived from the contracts. */
import { STATUS_CODES } from 'node:http';
import type * as z from 'zod';
import { type ProblemCode, problemStatus } from '../core/problems.ts';
import { eventTypes, eventTypeTable } from '../core/webhooks/event-types.ts';
import { v1EventTypes } from '../core/webhooks/v1-format.ts';
import type { Contract, ResponseSpec } from './contract.ts';
import { needsBody } from './input.ts';
import { gatewayComponents, withGatewayResponses } from './openapi-gateway.ts';
import { type Json, type SchemaCollector, schemaCollector } from './openapi-schemas.ts';
import { eventBodies } from './presenters/events.ts';
import { v1WebhookBodies } from './presenters/v1/webhook.ts';
import { problemMediaType, problemSchema } from './problem-body.ts';
import { type V1ErrorCode, v1ErrorCodeOf, v1ErrorSchema, v1ErrorStatus } from './v1-error.ts';
import { type ApiVersion, versionOf } from './versions.ts';

const generalOf: Readonly<Record<ApiVersion, string>> = {
  1: `
The earlier interface. New programs use version 2; both have the same keys, emails, threads and ids.

Every request carries \`Authorization: Bearer <API_KEY>\`. Every response carries \`X-Request-ID\` and \`Cache-Control\`, and all but \`401\` and \`403\` the \`RateLimit-*\` headers.
Beyond the request budget the answer is \`429\` with \`Retry-After\`.

Errors are \`{code, message, issues}\`: branch on \`code\`. The one exception is a request body that exceeds the gateway's limit
(about 6 MB): API Gateway itself answers \`413 {"message": "Request Entity Too Large"}\`.
`.trim(),
  2: `
Every request carries \`Authorization: Bearer <API_KEY>\`. Every response carries \`X-Request-ID\` and \`Cache-Control\`, and all but \`401\` and \`403\` the \`RateLimit-*\` headers.
Beyond the request budget the answer is \`429 too_many_requests\` with \`Retry-After\`.

Errors are problem bodies (RFC 9457, \`application/problem+json\`): branch on \`code\`. The one exception is a request body
that exceeds the gateway's limit (10 MB; about 6 MB when the body consists mostly of quotes): API Gateway itself answers
\`413 {"message": "Request Entity Too Large"}\`.

JSON bodies may be nested at most 64 levels deep, and no object may repeat a key. Lists are stable: a cursor neither skips nor repeats an item that existed
when the listing began. A cursor is valid only for the list and filters it was issued for.
`.trim(),
};

/** The deployment that the committed document describes. */
export const exampleDeployment = { baseUrl: 'https://api.example.com', brand: 'Parley' };

/** What the document describes. */
export interface ApiDescription {
  readonly operations: readonly Contract[];
  /** Descriptions of the groups of operations. */
  readonly groups: Readonly<Record<string, string>>;
  readonly version: ApiVersion;
}

/**
 * Builds the document of one version.
 *
 * @param deployment.baseUrl of the API, without a path
 * @throws Error for a group without a description
 */
export function openApiDocument(
  { operations: all, groups, version }: ApiDescription,
  deployment: { baseUrl: string; brand: string },
): Json {
  const operations = all.filter(({ path }) => versionOf(path) === version);
  const schemas = schemaCollector();
  const paths: Record<string, Record<string, Json>> = {};
  for (const contract of operations) {
    paths[contract.path] = {
      ...paths[contract.path],
      [contract.method.toLowerCase()]: describeOperation(contract, schemas),
    };
  }
  const webhooks =
    version === 1
      ? describeV1Webhooks(deployment.brand, schemas)
      : describeWebhooks(deployment.brand, schemas);
  schemas.describe(version === 1 ? v1ErrorSchema : problemSchema);
  return {
    openapi: '3.1.0',
    info: {
      title: `${deployment.brand} API`,
      version: String(version),
      description: generalOf[version],
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: deployment.baseUrl }],
    security: [{ bearer: [] }],
    tags: [...new Set(operations.map(groupOf))].map((name) => describeGroup(name, groups)),
    paths,
    webhooks,
    components: {
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', description: 'An API key of the workspace.' },
      },
      schemas: { ...schemas.components, ...gatewayComponents.schemas },
      responses: gatewayComponents.responses,
      headers: {
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
      },
      parameters: {
        RequestId: {
          name: 'X-Request-ID',
          in: 'header',
          description: 'Returned in the response. An invalid value is replaced.',
          schema: { type: 'string', pattern: '^[A-Za-z0-9._:-]{1,128}$' },
        },
      },
    },
  };
}

function describeGroup(name: string, groups: Readonly<Record<string, string>>): Json {
  const description = groups[name];
  if (description === undefined) {
    throw new Error(`the group ${name} has no description: add it to \`groups\` in functions/operations.ts`);
  }
  return { name: withoutVersion(name), description };
}

const groupOf = ({ id }: Contract): string => id.slice(0, id.lastIndexOf('.'));

/** `v1.emails` as `emails`: a document has operations of one version. */
const withoutVersion = (name: string): string => name.replace(/^v1\./, '');

function describeOperation(contract: Contract, schemas: SchemaCollector): Json {
  const { id, summary, description, scope, budget } = contract;
  return {
    operationId: withoutVersion(id),
    summary,
    description: [description, `Scope \`${scope}\`; request-budget class ${budget}.`]
      .filter(Boolean)
      .join('\n\n'),
    tags: [withoutVersion(groupOf(contract))],
    parameters: [
      ...parametersOf(schemas.describe(contract.params), 'path'),
      ...parametersOf(schemas.describe(contract.query), 'query'),
      ...Object.entries(contract.requestHeaders ?? {}).map(([name, text]) => ({
        name,
        in: 'header',
        description: text,
        schema: { type: 'string' },
      })),
      { $ref: '#/components/parameters/RequestId' },
    ],
    ...(contract.body && {
      requestBody: {
        required: needsBody(contract),
        content: jsonContent(contract.body, schemas),
      },
    }),
    responses: withGatewayResponses(
      {
        ...responsesOf(contract, schemas),
        ...(versionOf(contract.path) === 1 ? v1ErrorsOf(contract) : problemsOf(contract)),
      },
      { takesBody: contract.body !== null },
    ),
  };
}

function jsonContent(body: z.ZodType, schemas: SchemaCollector): Json {
  const schema = schemas.describe(body);
  return { 'application/json': { schema, example: schemas.exampleOf(schema) } };
}

function parametersOf(schema: Json, location: 'path' | 'query'): Json[] {
  const { properties = {}, required = [] } = schema as {
    properties?: Record<string, Json>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, { description, examples, ...rest }]) => ({
    name,
    in: location,
    required: location === 'path' || required.includes(name),
    ...(description !== undefined && { description }),
    schema: rest,
    ...(location === 'path' && Array.isArray(examples) && { example: examples[0] }),
  }));
}

const everyResponse: Json = {
  'X-Request-ID': { $ref: '#/components/headers/RequestId' },
  'Cache-Control': { $ref: '#/components/headers/CacheControl' },
};

/** `401` and `403` come before the request budget. */
const admittedResponse: Json = {
  ...everyResponse,
  'RateLimit-Limit': { $ref: '#/components/headers/RateLimitLimit' },
  'RateLimit-Remaining': { $ref: '#/components/headers/RateLimitRemaining' },
  'RateLimit-Reset': { $ref: '#/components/headers/RateLimitReset' },
};

function responsesOf({ responses }: Contract, schemas: SchemaCollector): Json {
  return Object.fromEntries(
    Object.entries<ResponseSpec>(responses).map(
      ([status, { description, headers, optionalHeaders, body }]) => [
        status,
        {
          description,
          headers: {
            ...admittedResponse,
            ...describeHeaders(headers ?? {}),
            ...describeHeaders(optionalHeaders ?? {}, { required: false }),
          },
          ...(body && { content: jsonContent(body, schemas) }),
        },
      ],
    ),
  );
}

function describeHeaders(headers: Readonly<Record<string, string>>, more: Json = {}): Json {
  return Object.fromEntries(
    Object.entries(headers).map(([name, description]) => [
      name,
      { description, ...more, schema: { type: 'string' } },
    ]),
  );
}

function problemsOf(contract: Contract): Json {
  const byStatus = Map.groupBy(codesOf(contract), (code) => problemStatus[code]);
  return Object.fromEntries(
    [...byStatus].map(([status, codes]) => [
      String(status),
      {
        description: `${STATUS_CODES[status]}: ${codes.map((code) => `\`${code}\``).join(', ')}.`,
        headers: errorHeaders(status),
        content: {
          [problemMediaType]: {
            schema: {
              allOf: [
                { $ref: '#/components/schemas/Problem' },
                { type: 'object', properties: { status: { const: status }, code: { enum: codes } } },
              ],
            },
          },
        },
      },
    ]),
  );
}

/** The headers of errors with a status. */
export function errorHeaders(status: number): Json {
  return {
    ...(status === 401 || status === 403 ? everyResponse : admittedResponse),
    ...(status === 401 && describeHeaders({ 'WWW-Authenticate': '`Bearer`.' })),
    ...(status === 429 && describeHeaders({ 'Retry-After': 'Seconds; at least 1.' })),
  };
}

/** Every code that an operation of version 1 can answer with. */
export function v1CodesOf(contract: Contract): V1ErrorCode[] {
  const codes = new Set(codesOf(contract).map(v1ErrorCodeOf));
  return [...codes].sort((a, b) => v1ErrorStatus[a] - v1ErrorStatus[b]);
}

function v1ErrorsOf(contract: Contract): Json {
  return Object.fromEntries(
    v1CodesOf(contract).map((code) => {
      const status = v1ErrorStatus[code];
      const schema = {
        allOf: [
          { $ref: '#/components/schemas/V1Error' },
          { type: 'object', properties: { code: { const: code } } },
        ],
      };
      return [
        String(status),
        {
          description: `${STATUS_CODES[status]}: \`${code}\`.`,
          headers: errorHeaders(status),
          content: { 'application/json': { schema } },
        },
      ];
    }),
  );
}

/** The webhooks of endpoints of format `v1`. */
function describeV1Webhooks(brand: string, schemas: SchemaCollector): Json {
  const parameters = Object.entries({
    [`X-${brand}-Timestamp`]: 'Unix seconds of sending, where the endpoint has a secret.',
    [`X-${brand}-Signature`]:
      '`sha256=<hex>`: HMAC-SHA256 of `<timestamp>.<raw body>` under the secret of the endpoint, where it has one.',
  }).map(([name, description]) => ({
    name,
    in: 'header',
    required: false,
    description,
    schema: { type: 'string' },
  }));
  const entries = v1EventTypes.map((type) => {
    const event = eventTypeTable[type].v1Name;
    return [
      event,
      {
        post: {
          operationId: event,
          summary: `The webhook \`${event}\``,
          tags: ['_meta'],
          security: [],
          parameters,
          requestBody: { required: true, content: jsonContent(v1WebhookBodies[type].schema, schemas) },
          responses: {
            '2XX': { description: 'The delivery succeeded. The response must arrive within 30 seconds.' },
            default: { description: 'The delivery failed; it is not retried.' },
          },
        },
      },
    ];
  });
  return Object.fromEntries(entries);
}

/** The webhooks: one for each event type. */
function describeWebhooks(brand: string, schemas: SchemaCollector): Json {
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
  const parameters = Object.entries(headers).map(([name, description]) => ({
    name,
    in: 'header',
    required: true,
    description,
    schema: { type: 'string' },
  }));
  const entries = eventTypes.map((type) => [
    type,
    {
      post: {
        operationId: type,
        summary: eventTypeTable[type].summary,
        tags: ['webhook-endpoints'],
        security: [],
        parameters,
        requestBody: { required: true, content: jsonContent(eventBodies[type].schema, schemas) },
        responses: {
          '2XX': { description: 'The delivery succeeded. The response must arrive within 10 seconds.' },
          default: { description: 'The attempt failed; the delivery is retried.' },
        },
      },
    },
  ]);
  return Object.fromEntries(entries);
}

/** Every code that the operation can answer with: those of the middleware and those of the contract. */
export function codesOf(contract: Contract): ProblemCode[] {
  const { params, query, body, scope, problems } = contract;
  const names = [...Object.keys(params.shape), ...Object.keys(query.shape)];
  const codes: ProblemCode[] = [
    'invalid_query',
    'unauthorized',
    'too_many_requests',
    'internal_error',
    ...problems,
  ];
  if (scope !== 'read') codes.push('forbidden');
  if ('cursor' in query.shape) codes.push('invalid_cursor');
  // In version 1, a malformed thread id is an unknown one.
  if (names.includes('thread_id')) codes.push('invalid_thread_id');
  if ('thread_id' in params.shape) codes.push('thread_not_found');
  if (names.some((name) => name === 'space' || (isIdName(name) && name in params.shape))) {
    codes.push('not_found');
  }
  if (body && bodyFields(body).some(isIdName)) codes.push('not_found');
  if (body) codes.push('invalid_json', 'unsupported_media_type', 'invalid_request');
  if (needsBody(contract)) codes.push('no_body');
  return [...new Set(codes)].sort((a, b) => problemStatus[a] - problemStatus[b] || (a < b ? -1 : 1));
}

/** Thread ids of version 2 have problem codes of their own. */
const isIdName = (name: string): boolean =>
  (name.endsWith('_id') && name !== 'thread_id') || name.endsWith('Id');

/** The fields of a body that take an id of this API: `external_id` does not. */
function bodyFields(body: z.ZodType): string[] {
  const { describe, components } = schemaCollector();
  const { $ref, ...inline } = describe(body);
  const schema = typeof $ref === 'string' ? components[$ref.split('/').at(-1) ?? ''] : inline;
  const { properties = {} } = schema as { properties?: Readonly<Record<string, Json>> };
  return Object.entries(properties).flatMap(([name, inner]) =>
    JSON.stringify(inner).includes('_[0-9a-f]{32}$') ? [name] : [],
  );
}
