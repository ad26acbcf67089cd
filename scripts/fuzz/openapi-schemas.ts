/** Validates responses and events against the documents in `docs/openapi`. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { type ApiVersion, versionOf } from '../../lib/http/versions.ts';
import type { HttpResponse } from './http-client.ts';
import type { JsonSchema } from './json-values.ts';

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly schema: JsonSchema;
}

interface Content {
  readonly schema: JsonSchema;
}

interface Described {
  readonly headers?: Readonly<Record<string, { readonly required?: boolean }>>;
  readonly content?: Readonly<Record<string, Content>>;
}

interface Operation {
  readonly operationId: string;
  readonly parameters?: readonly (Parameter | { readonly $ref: string })[];
  readonly requestBody?: { readonly content: Readonly<Record<string, Content>> };
  readonly responses: Readonly<Record<string, Described>>;
}

interface OpenApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly webhooks: Readonly<Record<string, { readonly post: Operation }>>;
  readonly components: { readonly schemas: Readonly<Record<string, JsonSchema>> };
}

const documentOf = (version: ApiVersion): OpenApiDocument =>
  JSON.parse(readFileSync(join(import.meta.dirname, `../../docs/openapi/v${version}.json`), 'utf8'));

const documents: Readonly<Record<ApiVersion, OpenApiDocument>> = { 1: documentOf(1), 2: documentOf(2) };

/** An operation with its route. */
export interface Route {
  /** As in the list of contracts. */
  readonly id: string;
  /** Upper case. */
  readonly method: string;
  readonly path: string;
  readonly parameters: readonly Parameter[];
  readonly body: JsonSchema | null;
  readonly responses: Operation['responses'];
  readonly version: ApiVersion;
  /** Those that `body` and the parameters refer to. */
  readonly schemas: Readonly<Record<string, JsonSchema>>;
}

const routesOf = (version: ApiVersion): readonly Route[] =>
  Object.entries(documents[version].paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { operationId, parameters = [], requestBody, responses }]) => ({
      id: version === 1 ? `v1.${operationId}` : operationId,
      method: method.toUpperCase(),
      path,
      parameters: parameters.filter((one): one is Parameter => 'name' in one),
      body: requestBody?.content['application/json']?.schema ?? null,
      responses,
      version,
      schemas: documents[version].components.schemas,
    })),
  );

/** The operations of both versions. */
export const routes: readonly Route[] = [...routesOf(2), ...routesOf(1)];

/** @throws Error for an operation that the document lacks */
export function routeOf(operationId: string): Route {
  const route = routes.find(({ id }) => id === operationId);
  if (!route) throw new Error(`the OpenAPI document has no operation ${operationId}`);
  return route;
}

const ajv = formats.default(new Ajv2020({ strict: false, allErrors: false }));
const compiled = new WeakMap<JsonSchema, ValidateFunction>();

function errorsOf(version: ApiVersion, schema: JsonSchema, value: unknown): string | null {
  const { components } = documents[version];
  const validate = compiled.get(schema) ?? ajv.compile({ ...schema, components });
  compiled.set(schema, validate);
  return validate(value) ? null : ajv.errorsText(validate.errors).slice(0, 500);
}

/** What the error responses of a version have. */
const errorFormats: Readonly<Record<ApiVersion, { readonly type: string; readonly schema: JsonSchema }>> = {
  1: { type: 'application/json', schema: { $ref: '#/components/schemas/V1Error' } },
  2: { type: 'application/problem+json', schema: { $ref: '#/components/schemas/Problem' } },
};

/**
 * What is wrong with a response of an operation: an undocumented status, a missing header, an invalid body. Null: nothing.
 *
 * @param route null: the response is an error of the fallback
 */
export function faultOf(
  route: Route | null,
  { method, path }: { readonly method: string; readonly path: string },
  response: HttpResponse,
): string | null {
  const version = versionOf(path.split('?')[0] ?? '');
  const error = errorFormats[version];
  const { status, headers, body } = response;
  if (status >= 500) return `status ${status}: ${excerpt(body)}`;
  const described = route?.responses[String(status)];
  if (route && !described) return `${route.id} documents no status ${status}: ${excerpt(body)}`;
  if (route === null && status < 400) return `status ${status} of an unknown route`;
  const missing = Object.entries(described?.headers ?? { 'X-Request-ID': {}, 'Cache-Control': {} }).find(
    ([name, { required }]) => required !== false && !headers[name.toLowerCase()],
  )?.[0];
  if (missing) return `the header ${missing} is missing`;
  if (headers['cache-control'] !== 'private, no-store') return `Cache-Control: ${headers['cache-control']}`;
  const type = status >= 400 ? error.type : Object.keys(described?.content ?? {})[0];
  if (type !== undefined && headers['content-type'] !== type) {
    return `status ${status} with Content-Type: ${headers['content-type']}`;
  }
  if (method === 'HEAD' || type === undefined) {
    return body.length === 0 ? null : `a body of ${body.length} bytes, where none is described`;
  }
  return faultOfBody(version, described?.content?.[type]?.schema ?? error.schema, response);
}

function faultOfBody(
  version: ApiVersion,
  schema: JsonSchema,
  { status, headers, body }: HttpResponse,
): string | null {
  const value = parsed(body);
  if (value === undefined) return `status ${status} without JSON: ${excerpt(body)}`;
  const errors = errorsOf(version, schema, value);
  if (errors) return `status ${status} with an invalid body: ${errors}`;
  if (status >= 400 && version === 2 && isRecord(value) && value.request_id !== headers['x-request-id']) {
    return 'request_id is not the value of X-Request-ID';
  }
  return null;
}

/** Event types that endpoints of version 2 may subscribe to. */
export const webhookTypes: readonly string[] = Object.keys(documents[2].webhooks);

/** What is wrong with the body of a webhook; null: nothing. */
export function faultOfEvent(event: unknown): string | null {
  if (!isRecord(event) || typeof event.type !== 'string') return 'no event';
  const schema = documents[2].webhooks[event.type]?.post.requestBody?.content['application/json']?.schema;
  if (!schema) return `an undocumented event ${event.type}`;
  const errors = errorsOf(2, schema, event);
  return errors && `an invalid event ${event.type}: ${errors}`;
}

function parsed(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString());
  } catch {
    return undefined;
  }
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function excerpt(body: Buffer): string {
  return body.toString('utf8', 0, 300);
}
