/** What the generated clients are made from: the operations, schemas and problem codes of the OpenAPI document of version 2. */
import { operations as contracts, groups } from '../../functions/operations.ts';
import { isProblemCode, type ProblemCode, problemStatus } from '../../lib/core/problems.ts';
import { eventTypes } from '../../lib/core/webhooks/event-types.ts';
import { exampleDeployment, openApiDocument } from '../../lib/http/openapi.ts';
import { problemDescriptions } from '../../lib/http/problem-descriptions.ts';

/** A JSON Schema, as far as the document uses it. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly default?: unknown;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: Schema | boolean;
  readonly format?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
}

interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly description?: string;
  readonly required?: boolean;
  readonly schema: Schema;
}

export interface Operation {
  /** `webhook-endpoints`, and `rotate-secret`. */
  readonly group: string;
  readonly verb: string;
  readonly method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Below the base URL: `/threads/{thread_id}/reply`. */
  readonly path: string;
  readonly summary: string;
  readonly description: string;
  readonly query: readonly Parameter[];
  /** Names of the request headers that the operation reads, beside `X-Request-ID`. */
  readonly headers: readonly string[];
  readonly body: { readonly schema: Schema; readonly required: boolean } | null;
  /** The body of the success; null for none. */
  readonly result: Schema | null;
  readonly successStatus: number;
}

/** The document with names for the lists of values that many schemas share. */
function withNamedEnums(document: OpenApi): OpenApi {
  const { schemas } = document.components;
  const { status, category } = schemas.Email?.properties ?? {};
  const named = {
    EventType: { type: 'string', enum: eventTypes, description: 'What an event is about.' },
    EmailStatus: { type: 'string', enum: valuesOf(status), description: 'Where an email is on its way.' },
    EmailCategory: { type: 'string', enum: valuesOf(category), description: 'What a received email is.' },
  };
  const missing = Object.entries(named).filter(([name]) => !(name in schemas));
  const text = missing.reduce(
    (all, [name, { enum: values }]) =>
      all.replaceAll(
        `"type":"string","enum":${JSON.stringify(values)}`,
        `"$ref":"#/components/schemas/${name}"`,
      ),
    JSON.stringify(document),
  );
  const changed = JSON.parse(text) as OpenApi;
  const components = {
    ...changed.components,
    schemas: { ...Object.fromEntries(missing), ...changed.components.schemas },
  };
  return { ...changed, components };
}

const valuesOf = (schema: Schema = {}): readonly unknown[] =>
  schema.enum ?? schema.anyOf?.flatMap(({ enum: values = [] }) => values) ?? [];

interface Body {
  readonly required?: boolean;
  readonly content?: Readonly<Record<string, { readonly schema: Schema }>>;
}

interface DocumentOperation {
  readonly summary: string;
  readonly description?: string;
  readonly parameters?: Parameters;
  readonly requestBody?: Body | { readonly $ref: string };
  readonly responses: Readonly<Record<string, Body | { readonly $ref: string }>>;
}

type Parameters = readonly (Parameter | { readonly $ref: string })[];

/** The operations by method. */
interface PathItem extends Readonly<Partial<Record<Lowercase<Operation['method']>, DocumentOperation>>> {
  /** Of all of them. */
  readonly parameters?: Parameters;
}

interface OpenApi {
  readonly paths: Readonly<Record<string, PathItem>>;
  readonly components: Readonly<Record<string, Readonly<Record<string, unknown>>>> & {
    readonly schemas: Readonly<Record<string, Schema>>;
  };
}

const prefix = '/api/v2';

export interface ClientSource {
  readonly groups: Readonly<Record<string, string>>;
  readonly operations: readonly Operation[];
  readonly schemas: Readonly<Record<string, Schema>>;
  readonly problems: readonly {
    readonly code: ProblemCode;
    readonly status: number;
    readonly cause: string;
    readonly action: string;
  }[];
}

/** Reads the contracts of version 2 through their document. @throws Error for an operation that the document lacks */
export function readDocument(): ClientSource {
  const whole = openApiDocument({ operations: contracts, groups, version: 2 }, exampleDeployment);
  const document = withNamedEnums(JSON.parse(JSON.stringify(whole)) as OpenApi);
  const resolve = <T extends object>(value: T | { readonly $ref: string }): T => {
    if (!('$ref' in value)) return value;
    const [section = '', name = ''] = value.$ref.split('/').slice(-2);
    return document.components[section]?.[name] as T;
  };
  const operations = contracts
    .filter(({ path }) => path.startsWith(`${prefix}/`))
    .map((contract) => {
      const path = contract.path.slice(prefix.length);
      const item = document.paths[contract.path] ?? document.paths[path];
      const operation = item?.[contract.method.toLowerCase() as Lowercase<Operation['method']>];
      if (!operation) throw new Error(`the document has no ${contract.method} ${path}`);
      const parameters = [...(item.parameters ?? []), ...(operation.parameters ?? [])];
      return { ...identityOf(contract), path, ...describe({ ...operation, parameters }, resolve) };
    });
  return {
    groups,
    operations,
    schemas: document.components.schemas,
    problems: Object.keys(problemStatus)
      .filter(isProblemCode)
      .map((code) => ({ code, status: problemStatus[code], ...problemDescriptions[code] })),
  };
}

function identityOf({ id, method }: { id: string; method: Operation['method'] }) {
  const [group = '', verb = ''] = id.split('.');
  return { group, verb, method };
}

type Resolve = <T extends object>(value: T | { readonly $ref: string }) => T;

function describe(operation: DocumentOperation, resolve: Resolve) {
  const parameters = (operation.parameters ?? []).map((parameter) => resolve<Parameter>(parameter));
  const body = operation.requestBody && resolve<Body>(operation.requestBody);
  const status = Object.keys(operation.responses)
    .filter((text) => Number(text) < 400)
    .at(-1);
  const success = resolve<Body>(operation.responses[status ?? ''] ?? {});
  return {
    summary: operation.summary,
    description: operation.description ?? '',
    query: parameters.filter((parameter) => parameter.in === 'query'),
    headers: parameters.flatMap(({ in: place, name }) =>
      place === 'header' && name !== 'X-Request-ID' ? [name] : [],
    ),
    body: body ? { schema: schemaOf(body) ?? {}, required: body.required === true } : null,
    result: schemaOf(success),
    successStatus: Number(status),
  };
}

const schemaOf = ({ content }: Body): Schema | null => content?.['application/json']?.schema ?? null;

/** `#/components/schemas/Email` as `Email`. */
export const nameOf = (reference: string): string => reference.split('/').at(-1) ?? '';

/** `webhook-endpoints` as `WebhookEndpoints`. */
export function pascal(name: string): string {
  return name.replace(/(?:^|[-_.])([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}

export function camel(name: string): string {
  const text = pascal(name);
  return `${text.charAt(0).toLowerCase()}${text.slice(1)}`;
}
