/** The OpenAPI 3.1 document of each version of the API, derived from the contracts. */
import type * as z from 'zod';
import type { Contract, ResponseSpec } from './contract.ts';
import { needsBody } from './input.ts';
import { withBases } from './openapi-bases.ts';
import { type ErrorResponses, errorResponses } from './openapi-errors.ts';
import { gatewayComponents } from './openapi-gateway.ts';
import { describeHeaders, headerComponents } from './openapi-headers.ts';
import { describeParameters, type Parameters } from './openapi-parameters.ts';
import { exampleOf, type Json, jsonBody, type SchemaCollector, schemaCollector } from './openapi-schemas.ts';
import { describeWebhooks } from './openapi-webhooks.ts';
import { groupOf, operationName, pascalCase } from './operation-names.ts';
import { problemSchema } from './problem-body.ts';
import { v1ErrorSchema } from './v1-error.ts';
import { type ApiVersion, basePathOf, versionOf } from './versions.ts';

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

Timestamps in responses are in UTC with milliseconds. Responses and events may get new fields: ignore those that you do not know.

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
  const schemas = schemaCollector({ prefix: version === 1 ? 'V1' : '' });
  const context: Context = {
    schemas,
    errors: errorResponses(operations, version),
    parameters: describeParameters(operations, schemas),
  };
  const paths = Object.fromEntries(
    [...Map.groupBy(operations, ({ path }) => path)].map(([path, ofPath]) => [
      path.slice(basePathOf(version).length),
      describePath(ofPath, context),
    ]),
  );
  const received = describeWebhooks(version, deployment.brand, schemas);
  schemas.describe(version === 1 ? v1ErrorSchema : problemSchema);
  return {
    openapi: '3.1.0',
    info: {
      title: `${deployment.brand} API`,
      version: String(version),
      description: generalOf[version],
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: `${deployment.baseUrl}${basePathOf(version)}` }],
    security: [{ bearer: [] }],
    tags: tagsOf(operations, groups),
    paths,
    webhooks: received.webhooks,
    components: {
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', description: 'An API key of the workspace.' },
      },
      schemas: { ...withBases(schemas.components, requestsOf(paths)), ...gatewayComponents.schemas },
      responses: { ...context.errors.components, ...received.responses },
      headers: headerComponents,
      parameters: { ...context.parameters.components, ...received.parameters },
    },
  };
}

/** The bodies of requests: the other schemas are those of responses and webhooks, or of scalars. */
function requestsOf(paths: Readonly<Record<string, Json>>): unknown {
  return Object.values(paths)
    .flatMap((item) => Object.values(item) as Json[])
    .map(({ requestBody }) => requestBody);
}

function tagsOf(operations: readonly Contract[], groups: Readonly<Record<string, string>>): Json[] {
  const keys = new Set(operations.map(({ id }) => id.slice(0, id.lastIndexOf('.'))));
  return [...keys].map((key) => {
    const description = groups[key];
    if (description === undefined) {
      throw new Error(`the group ${key} has no description: add it to \`groups\` in functions/operations.ts`);
    }
    return { name: groupOf(`${key}.`), description };
  });
}

/** What the operations of a document share. */
interface Context {
  readonly schemas: SchemaCollector;
  readonly errors: ErrorResponses;
  readonly parameters: Parameters;
}

/** The operations of a path; the parameters that all of them have are those of the path. */
function describePath(operations: readonly Contract[], context: Context): Json {
  const described = operations.map((contract) => ({
    contract,
    parameters: context.parameters.of(contract).map((parameter) => JSON.stringify(parameter)),
  }));
  const [first, ...others] = described;
  const shared = (first?.parameters ?? []).filter((one) =>
    others.every(({ parameters }) => parameters.includes(one)),
  );
  const parsed = (parameters: readonly string[]): Json[] => parameters.map((json) => JSON.parse(json));
  return {
    parameters: parsed(shared),
    ...Object.fromEntries(
      described.map(({ contract, parameters }) => [
        contract.method.toLowerCase(),
        describeOperation(contract, parsed(parameters.filter((one) => !shared.includes(one))), context),
      ]),
    ),
  };
}

/** @param parameters beside those of the path */
function describeOperation(
  contract: Contract,
  parameters: readonly Json[],
  { schemas, errors }: Context,
): Json {
  const { id, summary, description, scope, budget } = contract;
  const operationId = operationName(contract);
  return {
    operationId,
    summary,
    description: [description, `Scope \`${scope}\`, budget class ${budget}.`].filter(Boolean).join('\n\n'),
    tags: [groupOf(id)],
    ...(parameters.length > 0 && { parameters }),
    ...(contract.body && {
      requestBody: {
        required: needsBody(contract),
        content: requestContent(contract.body, schemas, `${pascalCase(operationId)}Body`),
      },
    }),
    responses: { ...responsesOf(contract, schemas), ...errors.of(contract) },
  };
}

/** Bodies of requests have their example beside their schema, as it is written for the operation. */
function requestContent(body: z.ZodType, schemas: SchemaCollector, name: string): Json {
  const schema = schemas.describe(body, name);
  const { examples } = body.meta() ?? {};
  const [example = exampleOf(schema, schemas.components)] = Array.isArray(examples) ? examples : [];
  return { 'application/json': { schema, example } };
}

/** Headers that every response has are described once, in `info`, and on the errors, which are components. */
function responsesOf({ responses }: Contract, schemas: SchemaCollector): Json {
  return Object.fromEntries(
    Object.entries<ResponseSpec>(responses).map(([status, spec]) => {
      const { description, body } = spec;
      const headers = {
        ...describeHeaders(spec.headers ?? {}),
        ...describeHeaders(spec.optionalHeaders ?? {}, { required: false }),
      };
      return [
        status,
        {
          description,
          ...(Object.keys(headers).length > 0 && { headers }),
          ...(body && { content: jsonBody(body, schemas) }),
        },
      ];
    }),
  );
}
