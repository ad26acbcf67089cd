/** The routes that need no API key. The CDK app, the local cloud and the fallback read the list; no other function imports it. */
import type { Grant } from '../lib/core/access.ts';
import type { Method } from '../lib/http/contract.ts';

export interface PublicFunction {
  /** File name under `functions/public/`. */
  readonly id: string;
  readonly summary: string;
  /** null: `$default`, i.e. every request that no route takes. */
  readonly route: { readonly method: Method; readonly path: `/${string}` } | null;
  readonly access: readonly Grant[];
  readonly timeoutSeconds: number;
  readonly memoryMb: number;
}

export const publicFunctions: readonly PublicFunction[] = [
  {
    id: 'fallback',
    summary: 'Answers 404 and 405 where no route takes the request.',
    route: null,
    access: [],
    timeoutSeconds: 5,
    memoryMb: 256,
  },
  {
    id: 'health',
    summary: 'Says that the API is up.',
    route: { method: 'GET', path: '/health' },
    access: [],
    timeoutSeconds: 5,
    memoryMb: 256,
  },
  {
    id: 'openapi',
    summary: 'Serves the OpenAPI document.',
    route: { method: 'GET', path: '/api/v2/openapi.json' },
    access: [],
    timeoutSeconds: 10,
    memoryMb: 512,
  },
  {
    id: 'unsubscribe-page',
    summary: 'Shows the page of an unsubscribe link. It may read only: looking changes nothing.',
    route: { method: 'GET', path: '/u/{token}' },
    access: ['table:get', 'table:query', 'content:get'],
    timeoutSeconds: 10,
    memoryMb: 1024,
  },
  {
    id: 'unsubscribe',
    summary: 'Opts a recipient out, at the press of a button.',
    route: { method: 'POST', path: '/u/{token}' },
    access: ['table:get', 'table:query', 'table:put', 'table:update', 'content:get'],
    timeoutSeconds: 10,
    memoryMb: 1024,
  },
  {
    id: 'track-open',
    summary: 'Serves the picture by which an open is told.',
    route: { method: 'GET', path: '/t/o/{token}' },
    access: ['table:get', 'table:query', 'table:put', 'table:update'],
    timeoutSeconds: 10,
    memoryMb: 1024,
  },
  {
    id: 'track-click',
    summary: 'Leads a click on to its target.',
    route: { method: 'GET', path: '/t/c/{token}' },
    access: ['table:get', 'table:query', 'table:put', 'table:update'],
    timeoutSeconds: 10,
    memoryMb: 1024,
  },
  {
    id: 'probe-click',
    summary: 'Tells a scanner where a click would lead. It may read only: that is no click.',
    route: { method: 'HEAD', path: '/t/c/{token}' },
    access: ['table:get'],
    timeoutSeconds: 10,
    memoryMb: 512,
  },
];
