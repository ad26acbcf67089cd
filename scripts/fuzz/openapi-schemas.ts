/** Validates responses and events against the documents in `docs/openapi`. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { operations } from '../../functions/operations.ts';
import { admittedResponse, everyResponse } from '../../lib/http/openapi-headers.ts';
import { type ApiVersion, basePathOf, versionOf } from '../../lib/http/versions.ts';
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

interface Reference {
  readonly $ref: string;
}

const methods = ['get', 'head', 'post', 'patch', 'delete'] as const;

interface Operation {
  readonly parameters?: readonly (Parameter | Reference)[];
  readonly requestBody?: { readonly content: Readonly<Record<string, Content>> };
  readonly responses: Readonly<Record<string, Described | Reference>>;
}

/** The operations by method, and the parameters of all of them. */
interface PathItem extends Readonly<Partial<Record<(typeof methods)[number], Operation>>> {
  readonly parameters?: Operation['parameters'];
}

interface OpenApiDocument {
  readonly paths: Readonly<Record<string, PathItem>>;
  readonly webhooks: Readonly<Record<string, { readonly post: Operation }>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, JsonSchema>>;
    readonly parameters: Readonly<Record<string, Parameter>>;
    readonly responses: Readonly<Record<string, Described>>;
  };
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
  readonly responses: Readonly<Record<string, Described>>;
  readonly version: ApiVersion;
  /** Those that `body` and the parameters refer to. */
  readonly schemas: Readonly<Record<string, JsonSchema>>;
}

const idOf = new Map(operations.map(({ id, method, path }) => [`${method} ${path}`, id]));

function routesOf(version: ApiVersion): readonly Route[] {
  const { paths, components } = documents[version];
  return Object.entries(paths).flatMap(([template, item]) =>
    methods.flatMap((verb) => {
      const { [verb]: operation, parameters: ofPath = [] } = item;
      if (!operation) return [];
      const { requestBody, responses } = operation;
      const parameters = [...ofPath, ...(operation.parameters ?? [])];
      const [method, path] = [verb.toUpperCase(), `${basePathOf(version)}${template}`];
      return {
        id: idOf.get(`${method} ${path}`) ?? '',
        method,
        path,
        parameters: parameters.map((one) => resolved(one, components.parameters)),
        body: requestBody?.content['application/json']?.schema ?? null,
        responses: Object.fromEntries(
          Object.entries(responses).map(([status, one]) => [status, resolved(one, components.responses)]),
        ),
        version,
        schemas: components.schemas,
      };
    }),
  );
}

/** What a reference means. @throws Error where there is no such component */
function resolved<T extends object>(one: T | Reference, components: Readonly<Record<string, T>>): T {
  if (!('$ref' in one)) return one;
  const component = components[one.$ref.slice(one.$ref.lastIndexOf('/') + 1)];
  if (!component) throw new Error(`the OpenAPI document has no ${one.$ref}`);
  return component;
}

/** The operations of both versions. */
export const routes: readonly Route[] = [...routesOf(2), ...routesOf(1)];

/** @throws Error for an operation that the document lacks */
export function routeOf(contractId: string): Route {
  const route = routes.find(({ id }) => id === contractId);
  if (!route) throw new Error(`the OpenAPI document has no operation ${contractId}`);
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
  1: { type: 'application/json', schema: { $ref: '#/components/schemas/ErrorBody' } },
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
  // `info` describes those that come after the request budget.
  const general = route === null || status === 401 || status === 403 ? everyResponse : admittedResponse;
  const optional = Object.entries(described?.headers ?? {}).filter(([, { required }]) => required === false);
  const required = new Set(Object.keys({ ...general, ...described?.headers }));
  for (const [name] of optional) required.delete(name);
  const missing = [...required].find((name) => !headers[name.toLowerCase()]);
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
