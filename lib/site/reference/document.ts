/** Reads an OpenAPI 3.1 document of this API: references may be anywhere, and the base path in `servers` or in each path. */
import { exampleOf } from '../../http/openapi-schemas.ts';

export type JsonObject = Readonly<Record<string, unknown>>;

export interface Parameter {
  readonly name: string;
  readonly location: string;
  readonly isRequired: boolean;
  readonly description: string;
  readonly schema: JsonObject;
  readonly example: unknown;
}

export interface Content {
  readonly mediaType: string;
  readonly schema: JsonObject;
  readonly example: unknown;
}

export interface Response {
  readonly status: string;
  readonly description: string;
  /** Null: a response without a body. */
  readonly content: Content | null;
  /** The error codes that the response can have. */
  readonly codes: readonly string[];
}

export interface Operation {
  readonly id: string;
  /** `webhook-endpoints.rotate-secret`: group and method in clients; empty: a webhook event. */
  readonly name: string;
  readonly method: string;
  /** From the root of the host. */
  readonly path: string;
  readonly group: string;
  readonly summary: string;
  readonly description: string;
  readonly parameters: readonly Parameter[];
  /** Null: the operation takes no body. */
  readonly body: (Content & { readonly isRequired: boolean }) | null;
  readonly responses: readonly Response[];
}

export interface Group {
  readonly name: string;
  readonly description: string;
  readonly operations: readonly Operation[];
}

export interface ApiDocument {
  readonly version: string;
  readonly description: string;
  /** `/api/v2`. */
  readonly basePath: string;
  readonly groups: readonly Group[];
  /** The webhook events; `method` and `path` of each are those of a receiver. */
  readonly events: readonly Operation[];
  readonly schemas: ReadonlyMap<string, JsonObject>;
  /** The object that a reference leads to; any other object as it is. */
  resolve(value: unknown): JsonObject;
}

/** Methods in the order in which a path lists them (OpenAPI 3.1, "Path Item Object"). */
const methods: ReadonlySet<string> = new Set(['get', 'put', 'post', 'delete', 'options', 'head', 'patch']);

/** References to references beyond this depth are taken for a circle. */
const referencesMax = 20;

/**
 * @param names `POST /api/v2/emails` to the `name` of the operation
 * @throws Error for a reference that leads nowhere
 */
export function readDocument(json: JsonObject, names: ReadonlyMap<string, string>): ApiDocument {
  const resolve = (value: unknown): JsonObject => resolved(json, value);
  const info = objectOf(json.info);
  const version = text(info.version);
  const operations = operationsOf(json, resolve, `/api/v${version}`).map((operation) => ({
    ...operation,
    name: names.get(`${operation.method} ${operation.path}`) ?? '',
  }));
  return {
    version,
    description: text(info.description),
    basePath: `/api/v${version}`,
    groups: listOf(json.tags).map((tag) => ({
      name: text(tag.name),
      description: text(tag.description),
      operations: operations.filter(({ group }) => group === tag.name),
    })),
    events: Object.entries(objectOf(json.webhooks)).map(([type, item]) =>
      operationOf(resolve, { method: 'post', path: type }, objectOf(resolve(item).post)),
    ),
    schemas: new Map(
      Object.entries(objectOf(objectOf(json.components).schemas)).map(([name, one]) => [name, objectOf(one)]),
    ),
    resolve,
  };
}

function operationsOf(json: JsonObject, resolve: ApiDocument['resolve'], basePath: string): Operation[] {
  const [server] = listOf(json.servers);
  const prefix = new URL(text(server?.url), 'https://api.example.com').pathname.replace(/\/$/, '');
  return Object.entries(objectOf(json.paths)).flatMap(([path, item]) => {
    const { parameters, ...operations } = resolve(item);
    const whole = path.startsWith(`${basePath}/`) ? path : `${prefix}${path}`;
    return Object.entries(operations)
      .filter(([method]) => methods.has(method))
      .map(([method, value]) => {
        const operation = objectOf(value);
        // Parameters of a path are those of each of its operations.
        const all = [...listOf(parameters), ...listOf(operation.parameters)];
        return operationOf(resolve, { method, path: whole }, { ...operation, parameters: all });
      });
  });
}

function operationOf(
  resolve: ApiDocument['resolve'],
  { method, path }: { method: string; path: string },
  operation: JsonObject,
): Operation {
  const body = operation.requestBody === undefined ? null : resolve(operation.requestBody);
  const content = body && contentOf(resolve, body.content);
  return {
    id: text(operation.operationId),
    name: '',
    method: method.toUpperCase(),
    path,
    group: text(Array.isArray(operation.tags) ? operation.tags[0] : ''),
    summary: text(operation.summary),
    description: text(operation.description),
    parameters: listOf(operation.parameters).map((one) => parameterOf(resolve, resolve(one))),
    body: body && content && { ...content, isRequired: body.required === true },
    responses: Object.entries(objectOf(operation.responses)).map(([status, one]) =>
      responseOf(resolve, status, resolve(one)),
    ),
  };
}

function parameterOf(resolve: ApiDocument['resolve'], parameter: JsonObject): Parameter {
  const schema = objectOf(parameter.schema);
  return {
    name: text(parameter.name),
    location: text(parameter.in),
    isRequired: parameter.required === true,
    description: text(parameter.description),
    schema,
    example: parameter.example ?? examplesOf(schema)[0] ?? examplesOf(resolve(schema))[0],
  };
}

function responseOf(resolve: ApiDocument['resolve'], status: string, response: JsonObject): Response {
  const isError = /^[45]/.test(status);
  return {
    status,
    description: text(response.description),
    content: contentOf(resolve, response.content),
    codes: isError
      ? [...text(response.description).matchAll(/`([a-z0-9_]+)`/g)].map(([, code]) => code ?? '')
      : [],
  };
}

/** The first content that has a schema: requests and responses of this API have one media type, but for the gateway's errors. */
function contentOf(resolve: ApiDocument['resolve'], contents: unknown): Content | null {
  const [first] = Object.entries(objectOf(contents));
  if (!first) return null;
  const [mediaType, content] = first;
  const { schema, example, examples } = resolve(content);
  const [named] = Object.values(objectOf(examples));
  return {
    mediaType,
    schema: objectOf(schema),
    example:
      example ??
      (named === undefined
        ? exampleOf(objectOf(schema), resolve({ $ref: '#/components/schemas' }) as Record<string, JsonObject>)
        : resolve(named).value),
  };
}

function resolved(json: JsonObject, value: unknown): JsonObject {
  let current = objectOf(value);
  for (let depth = 0; typeof current.$ref === 'string'; depth += 1) {
    const target = depth < referencesMax ? targetOf(json, current.$ref) : undefined;
    if (target === undefined) throw new Error(`the OpenAPI document has no ${current.$ref}`);
    // A description beside a reference replaces that of its target.
    const { $ref, ...own } = current;
    current = { ...objectOf(target), ...own };
  }
  return current;
}

/** The value at a reference such as `#/components/schemas/Email` (RFC 6901). */
function targetOf(json: JsonObject, reference: string): unknown {
  return reference
    .replace(/^#\//, '')
    .split('/')
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce<unknown>((value, part) => objectOf(value)[part], json);
}

/** A field of an object. */
export interface Field {
  readonly name: string;
  readonly schema: JsonObject;
  readonly isRequired: boolean;
}

/** The fields of an object, those of the schemas in its `allOf` first. */
export function fieldsOf({ resolve }: Pick<ApiDocument, 'resolve'>, schema: JsonObject): Field[] {
  const { allOf, properties, required } = resolve(schema);
  const isRequired = (name: string): boolean => Array.isArray(required) && required.includes(name);
  return [
    ...listOf(allOf).flatMap((part) => fieldsOf({ resolve }, part)),
    ...Object.entries(objectOf(properties)).map(([name, field]) => ({
      name,
      schema: objectOf(field),
      isRequired: isRequired(name),
    })),
  ];
}

/** The name of the schema that a reference names; null: not a reference. */
export function referenceName({ $ref }: JsonObject): string | null {
  return typeof $ref === 'string' ? $ref.slice($ref.lastIndexOf('/') + 1) : null;
}

export const examplesOf = ({ examples }: JsonObject): readonly unknown[] =>
  Array.isArray(examples) ? examples : [];

export function objectOf(value: unknown): JsonObject {
  return typeof value === 'object' && value !== null ? (value as JsonObject) : {};
}

export function listOf(value: unknown): readonly JsonObject[] {
  return Array.isArray(value) ? value.map(objectOf) : [];
}

/** A string, or the empty one for anything else. */
export function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** The successful response whose example is shown: that of the first request, not of its repetition. */
export function shownResponse(responses: readonly Response[]): Response | undefined {
  const successes = responses.filter(
    ({ status, content }) => /^2/.test(status) && content?.example !== undefined,
  );
  return successes.find(({ status }) => status === '201') ?? successes[0];
}
