/**
 * A client of version 1 as its users have one: made from `docs/openapi/v1.json`, and strict: each response must have a
 * documented status and a body that the document's schema accepts, without further fields.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { basePathOf } from '../../lib/http/versions.ts';
import { cloud } from './cloud.ts';
import type { TestWorkspace } from './workspace.ts';

const document = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../docs/openapi/v1.json'), 'utf8'),
) as {
  readonly paths: Readonly<Record<string, Readonly<Record<string, OperationObject>>>>;
  readonly components: { readonly responses: Readonly<Record<string, ResponseObject>> };
};
interface OperationObject {
  readonly operationId: string;
  readonly requestBody?: object;
  readonly responses: Readonly<Record<string, ResponseObject | { readonly $ref: string }>>;
}
interface ResponseObject {
  readonly content?: Readonly<Record<string, { schema: object }>>;
}

/** A response of an operation: a success, or an error of the document. */
export interface V1Response<T = V1Body> {
  readonly status: number;
  readonly body: T;
  readonly headers: Headers;
}
// biome-ignore lint/suspicious/noExplicitAny: responses are validated against the document; tests name their fields
type V1Body = any;

/**
 * Calls an operation by its name, such as `sendEmail`; parameters: those of the path, the body if it has
 * one, and further headers.
 */
export type V1Client = (operation: string, ...parameters: readonly unknown[]) => Promise<V1Response>;

/** Operations by their name. */
const operations = new Map(
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => [
      operation.operationId,
      { ...operation, path, method: method.toUpperCase() },
    ]),
  ),
);

const ajv = formats.default(new Ajv2020({ strict: false }));
const validators = new Map<object, ReturnType<typeof ajv.compile>>();

/** @throws Error for a response that the document does not describe */
function check({ operationId, responses: own }: OperationObject, status: number, body: unknown): void {
  const described = own[String(status)];
  if (!described) throw new Error(`${operationId} has no documented status ${status}`);
  const { responses } = document.components;
  const { content } =
    '$ref' in described ? { ...responses[described.$ref.split('/').at(-1) ?? ''] } : described;
  const { schema } = content?.['application/json'] ?? {};
  if (!schema) throw new Error(`${operationId} has no documented body for ${status}`);
  const validate = validators.get(schema) ?? ajv.compile({ ...schema, components: document.components });
  validators.set(schema, validate);
  if (!validate(body)) {
    throw new Error(`${operationId} answered ${status} with ${JSON.stringify(validate.errors)}`);
  }
}

/** The client of a workspace; null: without a key. */
export function v1Client(caller: TestWorkspace | string | null): V1Client {
  const key = caller === null || typeof caller === 'string' ? caller : caller.key;
  return async (name, ...parameters) => {
    const operation = operations.get(name);
    if (!operation) throw new Error(`the document has no operation ${name}`);
    const rest = [...parameters];
    const path = operation.path.replaceAll(/\{\w+\}/g, () => encodeURIComponent(String(rest.shift())));
    const body = operation.requestBody ? JSON.stringify(rest.shift() ?? {}) : null;
    const { headers: more = {} } = (rest.shift() ?? {}) as { headers?: Readonly<Record<string, string>> };
    const headers = {
      ...(key === null ? {} : { authorization: `Bearer ${key}` }),
      ...(body === null ? {} : { 'content-type': 'application/json' }),
      ...more,
    };
    const url = new URL(`${basePathOf(1)}${path}`, cloud().baseUrl);
    const response = await fetch(url, { method: operation.method, headers, body });
    const { status } = response;
    const answer = await response.json();
    check(operation, status, answer);
    return { status, body: answer, headers: response.headers };
  };
}
