/** Validates responses and events against `docs/openapi/v2.json`. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
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
  readonly headers?: Readonly<Record<string, unknown>>;
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

export const document = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../docs/openapi/v2.json'), 'utf8'),
) as OpenApiDocument;

/** An operation with its route. */
export interface Route {
  readonly id: string;
  /** Upper case. */
  readonly method: string;
  readonly path: string;
  readonly parameters: readonly Parameter[];
  readonly body: JsonSchema | null;
  readonly responses: Operation['responses'];
}

export const routes: readonly Route[] = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, { operationId, parameters = [], requestBody, responses }]) => ({
    id: operationId,
    method: method.toUpperCase(),
    path,
    parameters: parameters.filter((one): one is Parameter => 'name' in one),
    body: requestBody?.content['application/json']?.schema ?? null,
    responses,
  })),
);

/** @throws Error for an operation that the document lacks */
export function routeOf(operationId: string): Route {
  const route = routes.find(({ id }) => id === operationId);
  if (!route) throw new Error(`the OpenAPI document has no operation ${operationId}`);
  return route;
}

const ajv = formats.default(new Ajv2020({ strict: false, allErrors: false }));
const compiled = new WeakMap<JsonSchema, ValidateFunction>();

function errorsOf(schema: JsonSchema, value: unknown): string | null {
  const validate = compiled.get(schema) ?? ajv.compile({ ...schema, components: document.components });
  compiled.set(schema, validate);
  return validate(value) ? null : ajv.errorsText(validate.errors).slice(0, 500);
}

const problemType = 'application/problem+json';

/**
 * What is wrong with a response of an operation: an undocumented status, a missing header, an invalid body. Null: nothing.
 *
 * @param route null: the response is a problem of the fallback
 */
export function faultOf(route: Route | null, method: string, response: HttpResponse): string | null {
  const { status, headers, body } = response;
  if (status >= 500) return `status ${status}: ${excerpt(body)}`;
  const described = route?.responses[String(status)];
  if (route && !described) return `${route.id} documents no status ${status}: ${excerpt(body)}`;
  if (route === null && status < 400) return `status ${status} of an unknown route`;
  const missing = Object.keys(described?.headers ?? { 'X-Request-ID': 0, 'Cache-Control': 0 }).find(
    (name) => !headers[name.toLowerCase()],
  );
  if (missing) return `the header ${missing} is missing`;
  if (headers['cache-control'] !== 'private, no-store') return `Cache-Control: ${headers['cache-control']}`;
  const type = status >= 400 ? problemType : Object.keys(described?.content ?? {})[0];
  if (type !== undefined && headers['content-type'] !== type) {
    return `status ${status} with Content-Type: ${headers['content-type']}`;
  }
  if (method === 'HEAD' || type === undefined) {
    return body.length === 0 ? null : `a body of ${body.length} bytes, where none is described`;
  }
  return faultOfBody(described?.content?.[type]?.schema ?? problemSchema, response);
}

const problemSchema: JsonSchema = { $ref: '#/components/schemas/Problem' };

function faultOfBody(schema: JsonSchema, { status, headers, body }: HttpResponse): string | null {
  const value = parsed(body);
  if (value === undefined) return `status ${status} without JSON: ${excerpt(body)}`;
  const errors = errorsOf(schema, value);
  if (errors) return `status ${status} with an invalid body: ${errors}`;
  if (status >= 400 && isRecord(value) && value.request_id !== headers['x-request-id']) {
    return 'request_id is not the value of X-Request-ID';
  }
  return null;
}

/** What is wrong with the body of a webhook; null: nothing. */
export function faultOfEvent(event: unknown): string | null {
  if (!isRecord(event) || typeof event.type !== 'string') return 'no event';
  const schema = document.webhooks[event.type]?.post.requestBody?.content['application/json']?.schema;
  if (!schema) return `an undocumented event ${event.type}`;
  const errors = errorsOf(schema, event);
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
