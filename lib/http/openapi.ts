/** The OpenAPI 3.1 document of the API, derived from the contracts. */
import { STATUS_CODES } from 'node:http';
import * as z from 'zod';
import { type ProblemCode, problemStatus } from '../core/problems.ts';
import type { Contract, ResponseSpec } from './contract.ts';
import { needsBody } from './input.ts';
import { problemMediaType, problemSchema } from './problem-body.ts';

type Json = { readonly [name: string]: unknown };

/** Converts a schema to JSON Schema and collects named schemas for `components`. */
type Describe = (schema: z.ZodType) => Json;

const general = `
Every request carries \`Authorization: Bearer <API_KEY>\`. Every response carries \`X-Request-ID\` and \`Cache-Control\`.

Errors are problem bodies (RFC 9457, \`application/problem+json\`): branch on \`code\`. The one exception is a request body
that exceeds the gateway's limit (10 MB; about 6 MB when the body consists mostly of quotes): API Gateway itself answers
\`413 {"message": "Request Entity Too Large"}\`.

JSON bodies may be nested at most 64 levels deep. Lists are stable: a cursor neither skips nor repeats an item that existed
when the listing began. A cursor is valid only for the list and filters it was issued for.
`.trim();

/** The deployment that the committed document describes. */
export const exampleDeployment = { baseUrl: 'https://api.example.com', brand: 'Parley' };

/**
 * Builds the document.
 *
 * @param options.baseUrl of the API, without a path
 */
export function openApiDocument(
  operations: readonly Contract[],
  options: { baseUrl: string; brand: string },
): Json {
  const schemas: Record<string, unknown> = {};
  const describe: Describe = (schema) => jsonSchema(schema, schemas);
  const paths: Record<string, Record<string, Json>> = {};
  for (const contract of operations) {
    paths[contract.path] = {
      ...paths[contract.path],
      [contract.method.toLowerCase()]: describeOperation(contract, describe),
    };
  }
  describe(problemSchema);
  return {
    openapi: '3.1.0',
    info: { title: `${options.brand} API`, version: '2', description: general },
    servers: [{ url: options.baseUrl }],
    security: [{ bearer: [] }],
    tags: [...new Set(operations.map(groupOf))].map((name) => ({ name })),
    paths,
    components: {
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', description: 'An API key of the workspace.' },
      },
      schemas,
      headers: {
        RequestId: {
          description: "The client's `X-Request-ID` when it is valid, else a new one.",
          schema: { type: 'string' },
        },
        CacheControl: { description: 'Always `private, no-store`.', schema: { type: 'string' } },
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

const groupOf = ({ id }: Contract): string => id.slice(0, id.indexOf('.'));

function describeOperation(contract: Contract, describe: Describe): Json {
  const { id, summary, description, scope, budget } = contract;
  return {
    operationId: id,
    summary,
    description: [description, `Scope \`${scope}\`; request-budget class ${budget}.`]
      .filter(Boolean)
      .join('\n\n'),
    tags: [groupOf(contract)],
    parameters: [
      ...parametersOf(describe(contract.params), 'path'),
      ...parametersOf(describe(contract.query), 'query'),
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
        content: { 'application/json': { schema: describe(contract.body) } },
      },
    }),
    responses: { ...responsesOf(contract, describe), ...problemsOf(contract) },
  };
}

function parametersOf(schema: Json, location: 'path' | 'query'): Json[] {
  const { properties = {}, required = [] } = schema as {
    properties?: Record<string, Json>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, { description, ...rest }]) => ({
    name,
    in: location,
    required: location === 'path' || required.includes(name),
    ...(description !== undefined && { description }),
    schema: rest,
  }));
}

const everyResponse: Json = {
  'X-Request-ID': { $ref: '#/components/headers/RequestId' },
  'Cache-Control': { $ref: '#/components/headers/CacheControl' },
};

function responsesOf({ responses }: Contract, describe: Describe): Json {
  return Object.fromEntries(
    Object.entries<ResponseSpec>(responses).map(([status, { description, headers, body }]) => [
      status,
      {
        description,
        headers: { ...everyResponse, ...describeHeaders(headers ?? {}) },
        ...(body && { content: { 'application/json': { schema: describe(body) } } }),
      },
    ]),
  );
}

function describeHeaders(headers: Readonly<Record<string, string>>): Json {
  return Object.fromEntries(
    Object.entries(headers).map(([name, description]) => [name, { description, schema: { type: 'string' } }]),
  );
}

function problemsOf(contract: Contract): Json {
  const byStatus = Map.groupBy(codesOf(contract), (code) => problemStatus[code]);
  return Object.fromEntries(
    [...byStatus].map(([status, codes]) => [
      String(status),
      {
        description: `${STATUS_CODES[status]}: ${codes.map((code) => `\`${code}\``).join(', ')}.`,
        headers: {
          ...everyResponse,
          ...(status === 401 && describeHeaders({ 'WWW-Authenticate': '`Bearer`.' })),
        },
        content: {
          [problemMediaType]: {
            schema: {
              allOf: [{ $ref: '#/components/schemas/Problem' }, { properties: { code: { enum: codes } } }],
            },
          },
        },
      },
    ]),
  );
}

/** Every code that the operation can answer with: those of the middleware and those of the contract. */
export function codesOf(contract: Contract): ProblemCode[] {
  const { params, query, body, scope, problems } = contract;
  const names = [...Object.keys(params.shape), ...Object.keys(query.shape)];
  const codes: ProblemCode[] = ['invalid_query', 'unauthorized', 'internal_error', ...problems];
  if (scope !== 'read') codes.push('forbidden');
  if ('cursor' in query.shape) codes.push('invalid_cursor');
  if (names.includes('thread_id')) codes.push('invalid_thread_id');
  if ('thread_id' in params.shape) codes.push('thread_not_found');
  if (
    names.some(
      (name) => name === 'space' || (name.endsWith('_id') && name !== 'thread_id' && name in params.shape),
    )
  ) {
    codes.push('not_found');
  }
  if (body) codes.push('invalid_json', 'unsupported_media_type', 'invalid_request');
  if (needsBody(contract)) codes.push('no_body');
  return [...new Set(codes)].sort((a, b) => problemStatus[a] - problemStatus[b] || (a < b ? -1 : 1));
}

/**
 * Describes the input side of a schema: requests are transformed when they are parsed, responses are not. Schemas with a
 * name (`.meta({ id })`) are added to `named` and referenced.
 */
function jsonSchema(schema: z.ZodType, named: Record<string, unknown>): Json {
  const { $schema, ...whole } = z.toJSONSchema(schema, {
    io: 'input',
    unrepresentable: 'any',
    override: ({ jsonSchema }) => {
      // The format or type already says it.
      if (jsonSchema.format === 'date-time' || jsonSchema.type === 'integer') delete jsonSchema.pattern;
    },
  });
  const text = JSON.stringify(whole).replaceAll('"#/$defs/', '"#/components/schemas/');
  const { $defs, ...rest }: Json = JSON.parse(text);
  Object.assign(named, $defs);
  return rest;
}
