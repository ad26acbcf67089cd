/**
 * A client of version 1 as its users have one: generated from `docs/openapi/v1.json`, compiled, and strict: each response
 * must have a documented status and a body that the document's schema accepts, without further fields.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { transformSync } from 'esbuild';
import { generateApi } from 'swagger-typescript-api';
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

/** Calls an operation by its name in the generated client, such as `sendEmail`. */
export type V1Client = (operation: string, ...parameters: readonly unknown[]) => Promise<V1Response>;

type Generated = new (settings: object) => Readonly<Record<string, unknown>>;
type Call = (...parameters: readonly unknown[]) => Promise<unknown>;

let compiled: Promise<Generated> | undefined;

async function compile(): Promise<Generated> {
  const spec = structuredClone(document) as never;
  const { files } = await generateApi({ spec, output: false, silent: true, httpClientType: 'fetch' });
  const folder = mkdtempSync(join(tmpdir(), 'parley-v1-client-'));
  const file = join(folder, 'client.mjs');
  try {
    writeFileSync(file, transformSync(files[0]?.fileContent ?? '', { loader: 'ts', format: 'esm' }).code);
    return ((await import(pathToFileURL(file).href)) as { Api: Generated }).Api;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const ajv = formats.default(new Ajv2020({ strict: false }));
const validators = new Map<object, ReturnType<typeof ajv.compile>>();

/** @throws Error for a response that the document does not describe */
function check(method: string, path: string, status: number, body: unknown): void {
  const [operation] = Object.entries(document.paths)
    .filter(([template]) =>
      new RegExp(`^${basePathOf(1)}${template.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(path),
    )
    .sort(([one], [other]) => one.split('{').length - other.split('{').length)
    .flatMap(([, methods]) => methods[method.toLowerCase()] ?? []);
  const described = operation?.responses[String(status)];
  if (!described) throw new Error(`${method} ${path} has no documented status ${status}`);
  const { responses } = document.components;
  const { content } =
    '$ref' in described ? { ...responses[described.$ref.split('/').at(-1) ?? ''] } : described;
  const { schema } = content?.['application/json'] ?? {};
  if (!schema) throw new Error(`${method} ${path} has no documented body for ${status}`);
  const validate = validators.get(schema) ?? ajv.compile({ ...schema, components: document.components });
  validators.set(schema, validate);
  if (!validate(body)) {
    throw new Error(`${method} ${path} answered ${status} with ${JSON.stringify(validate.errors)}`);
  }
}

/** Generates and compiles the client, which takes seconds. */
export async function prepareV1Client(): Promise<void> {
  compiled ??= compile();
  await compiled;
}

/** The client of a workspace; null: without a key. */
export async function v1Client(caller: TestWorkspace | string | null): Promise<V1Client> {
  compiled ??= compile();
  const Api = await compiled;
  const key = caller === null || typeof caller === 'string' ? caller : caller.key;
  const responses: V1Response[] = [];
  const customFetch = async (url: string, init: RequestInit): Promise<Response> => {
    const response = await fetch(url, init);
    const body = JSON.parse(await response.clone().text());
    check(init.method ?? 'GET', new URL(url).pathname, response.status, body);
    responses.push({ status: response.status, body, headers: response.headers });
    return response;
  };
  const api = new Api({
    baseUrl: `${new URL(cloud().baseUrl).origin}${basePathOf(1)}`,
    customFetch,
    baseApiParams: { format: 'json', headers: key === null ? {} : { authorization: `Bearer ${key}` } },
  });
  return async (operation, ...parameters) => {
    // The client groups operations by the first part of their path.
    const call = Object.values(api).flatMap(
      (group) => (group as Record<string, Call> | null)?.[operation] ?? [],
    )[0];
    if (!call) throw new Error(`the client has no operation ${operation}`);
    // The client throws its response for a status other than 2xx.
    await call(...parameters).catch((error: unknown) => {
      if (error instanceof Error) throw error;
    });
    const response = responses.pop();
    if (!response) throw new Error(`${operation} had no response`);
    return response;
  };
}
