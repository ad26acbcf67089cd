/**
 * The API in the thread of the test: requests go through the emulated API Gateway to the handlers, without HTTP and without
 * the threads of functions, at half of the processor time. For loops over all operations about what handlers do. What
 * bundles and roles add to it is tested through the cloud.
 */
import { join, relative } from 'node:path';
import { operations } from '../../functions/operations.ts';
import { publicFunctions, routesOf } from '../../functions/public.ts';
import { now } from '../../lib/adapters/clock.ts';
import type { LambdaHandler } from '../../lib/http/request-context.ts';
import { handleRequest, type Route } from '../../lib/local/api.ts';
import type { HttpResponse } from '../../lib/local/http-server.ts';
import { responseCheck } from '../../lib/local/response-check.ts';
import { context } from '../http/gateway.ts';
import { cloud } from './cloud.ts';
import { noteMismatch } from './mismatches.ts';

const root = join(import.meta.dirname, '../..');

/** The routes of the API; `functionArn` is the file of the handler. */
const routes: readonly Route[] = [
  ...operations.map(({ id, method, path }) => ({
    method,
    path,
    functionArn: `functions/${id.replaceAll('.', '/')}.ts`,
    credentialsArn: null,
  })),
  ...publicFunctions.flatMap((spec) =>
    (spec.route ? routesOf(spec) : [{ method: '*', path: null }]).map((route) => ({
      ...route,
      functionArn: `functions/public/${spec.id}.ts`,
      credentialsArn: null,
    })),
  ),
];

/** Functions that have their files beside their bundle. */
const built: Readonly<Record<string, () => Promise<string>>> = {
  'functions/public/site.ts': async () => {
    const { siteFolder } = await import('../../lib/constructs/site.ts');
    return join(siteFolder('Parley'), 'site.mjs');
  },
  'functions/public/console.ts': async () => {
    const { consoleFolders } = await import('../../lib/constructs/console.ts');
    return join(consoleFolders('Parley').asset, 'console.mjs');
  },
};

async function handlerIn(file: string): Promise<LambdaHandler> {
  const { handler }: { handler: LambdaHandler } = await import(join(root, file));
  return handler;
}

async function invoke(file: string, event: unknown): Promise<unknown> {
  const bundle = await built[file]?.();
  const handler = await handlerIn(bundle === undefined ? file : relative(root, bundle));
  return await handler(JSON.parse(JSON.stringify(event)), context);
}

const reviewResponse = responseCheck(operations, noteMismatch);

export interface InProcessRequest {
  readonly method: string;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Buffer | undefined;
}

/** Calls the API. Log lines go to the output of the test: see `captureLog`. */
export async function requestInProcess({
  method,
  url,
  headers,
  body = Buffer.alloc(0),
}: InProcessRequest): Promise<HttpResponse> {
  const response = await handleRequest(
    {
      method,
      target: `${url.pathname}${url.search}`,
      rawHeaders: Object.entries({ host: new URL(cloud().baseUrl).host, ...headers }).flat(),
      body,
      sourceIp: '127.0.0.1',
    },
    { routes, invoke, now, mayInvoke: () => true, reviewResponse },
  );
  // An HTTP server sends no body there.
  return method === 'HEAD' ? { ...response, body: Buffer.alloc(0) } : response;
}
