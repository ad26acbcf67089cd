/** The list of routes without authentication, for the CDK app, the local cloud and the fallback; no other function imports it. */
import type { Grant } from '../lib/core/access/access.ts';
import type { Method } from '../lib/http/contract.ts';
import { calledOperations } from '../lib/http/mcp/called-operations.ts';

/** A route of a public function; API Gateway leads HEAD to no route of GET ("Create routes for HTTP APIs in API Gateway"). */
export interface PublicRoute {
  readonly method: Method;
  readonly path: `/${string}`;
}

export interface PublicFunction {
  /** File name under `functions/public/`. */
  readonly id: string;
  readonly summary: string;
  /** null: `$default`, every request without a matching route. */
  readonly route: PublicRoute | null;
  /** Other paths of the same function, with the method of `route`. */
  readonly morePaths?: readonly PublicRoute['path'][];
  /** The code is an asset of its own, not in the bundle of all functions (lib/constructs/site.ts, lib/constructs/console.ts). */
  readonly hasOwnCode?: 'site' | 'console';
  /** The route is a page that only reads: HEAD leads to the function, too. */
  readonly answersHead?: true;
  readonly access: readonly Grant[];
  readonly timeoutSeconds: number;
  readonly memoryMb: number;
}

export const publicFunctions: readonly PublicFunction[] = [
  {
    id: 'fallback',
    summary: 'Answers 404 or 405 to requests without a matching route, and leads `/docs/` to `/docs`.',
    route: null,
    access: [],
    timeoutSeconds: 5,
    memoryMb: 256,
  },
  {
    id: 'health',
    summary: 'Reports whether the API is up and reads its table; its role is read-only.',
    route: { method: 'GET', path: '/health' },
    answersHead: true,
    access: ['table:get'],
    timeoutSeconds: 5,
    memoryMb: 512,
  },
  {
    id: 'openapi',
    summary: 'Serves the OpenAPI document.',
    route: { method: 'GET', path: '/api/v2/openapi.json' },
    answersHead: true,
    access: [],
    timeoutSeconds: 10,
    memoryMb: 512,
  },
  {
    id: 'openapi-v1',
    summary: 'Serves the OpenAPI document of version 1.',
    route: { method: 'GET', path: '/api/v1/openapi.json' },
    answersHead: true,
    access: [],
    timeoutSeconds: 10,
    memoryMb: 512,
  },
  {
    id: 'site',
    summary: 'Serves the documentation.',
    route: { method: 'GET', path: '/' },
    morePaths: [
      '/docs',
      '/docs/{page}',
      '/docs/{section}/{page}',
      '/problems',
      '/problems/{code}',
      '/favicon.ico',
      '/llms.txt',
      '/index.md',
      '/docs.md',
      '/problems.md',
    ],
    hasOwnCode: 'site',
    answersHead: true,
    access: [],
    timeoutSeconds: 10,
    memoryMb: 512,
  },
  {
    id: 'console',
    summary: 'Serves the console.',
    route: { method: 'GET', path: '/console' },
    morePaths: ['/console/{proxy+}'],
    hasOwnCode: 'console',
    answersHead: true,
    access: [],
    timeoutSeconds: 10,
    memoryMb: 512,
  },
  {
    id: 'mcp',
    summary: 'Serves tools for agents, with the key of the caller.',
    route: { method: 'POST', path: '/mcp' },
    access: calledOperations.map((operation) => `operations:invoke:${operation.id}` as const),
    timeoutSeconds: 29,
    memoryMb: 1024,
  },
  {
    id: 'unsubscribe-page',
    summary: 'Serves the unsubscribe page; its role is read-only.',
    route: { method: 'GET', path: '/u/{token}' },
    answersHead: true,
    access: ['table:get', 'table:query', 'content:get', 'secrets:decrypt:link-secret'],
    timeoutSeconds: 10,
    memoryMb: 1024,
  },
  {
    id: 'unsubscribe',
    summary: 'Unsubscribes a recipient.',
    route: { method: 'POST', path: '/u/{token}' },
    access: [
      'table:get',
      'table:query',
      'table:put',
      'table:update',
      'content:get',
      'secrets:decrypt:link-secret',
    ],
    timeoutSeconds: 10,
    memoryMb: 1024,
  },
  {
    id: 'track-open',
    summary: 'Serves the open-tracking pixel.',
    route: { method: 'GET', path: '/t/o/{token}' },
    access: ['table:get', 'table:query', 'table:put', 'table:update', 'secrets:decrypt:link-secret'],
    timeoutSeconds: 10,
    memoryMb: 1024,
  },
  {
    id: 'track-click',
    summary: 'Records a click and redirects to its target.',
    route: { method: 'GET', path: '/t/c/{token}' },
    access: ['table:get', 'table:query', 'table:put', 'table:update', 'secrets:decrypt:link-secret'],
    timeoutSeconds: 10,
    memoryMb: 1024,
  },
  {
    id: 'probe-click',
    summary: 'Redirects HEAD requests of scanners without recording a click; its role is read-only.',
    route: { method: 'HEAD', path: '/t/c/{token}' },
    access: ['table:get', 'secrets:decrypt:link-secret'],
    timeoutSeconds: 10,
    memoryMb: 512,
  },
  {
    id: 'connect-page',
    summary: 'Serves the hosted page of an OAuth app; its role is read-only.',
    route: { method: 'GET', path: '/connect/{slug}' },
    answersHead: true,
    access: ['table:get'],
    timeoutSeconds: 10,
    memoryMb: 512,
  },
  {
    id: 'connect-start',
    summary: 'Sends the browser to the consent page of a mail provider.',
    route: { method: 'GET', path: '/connect/{slug}/start' },
    access: [
      'table:get',
      'table:put',
      'secrets:decrypt:link-secret',
      'secrets:decrypt:oauth-app-secret',
      'secrets:encrypt:mailbox-token',
    ],
    timeoutSeconds: 10,
    memoryMb: 1024,
  },
  {
    id: 'connect-callback',
    summary: 'Connects the mailbox that was authorized, and sends the browser back.',
    route: { method: 'GET', path: '/connect/callback/{provider}' },
    access: [
      'table:get',
      'table:query',
      'table:put',
      'table:update',
      'table:delete',
      'table:check',
      'secrets:decrypt:link-secret',
      'secrets:decrypt:oauth-app-secret',
      'secrets:encrypt:mailbox-token',
      'secrets:decrypt:mailbox-token',
      'shared-apps:read',
    ],
    timeoutSeconds: 29,
    memoryMb: 1024,
  },
  {
    id: 'console-mail',
    summary: 'Serves the html of a message to a frame of the console; its role is read-only.',
    route: { method: 'GET', path: '/console/mail/{email_id}' },
    access: ['table:get', 'table:query', 'content:get'],
    timeoutSeconds: 10,
    memoryMb: 1024,
  },
  {
    id: 'console-login',
    summary: 'Has sign-in links for the console mailed to a member.',
    route: { method: 'POST', path: '/console/login' },
    access: ['table:request-links'],
    timeoutSeconds: 10,
    memoryMb: 512,
  },
  {
    id: 'console-enter',
    summary: 'Signs a member in to the console by a link.',
    route: { method: 'POST', path: '/console/enter' },
    access: ['table:get', 'table:put', 'table:update', 'table:check'],
    timeoutSeconds: 10,
    memoryMb: 512,
  },
  {
    id: 'console-session',
    summary: 'Tells the console who is signed in; its role is read-only.',
    route: { method: 'GET', path: '/console/session' },
    access: ['table:get'],
    timeoutSeconds: 10,
    memoryMb: 512,
  },
  {
    id: 'console-sign-out',
    summary: 'Ends a session of the console, or all of a member.',
    route: { method: 'DELETE', path: '/console/session' },
    access: ['table:get', 'table:put', 'table:update', 'table:delete'],
    timeoutSeconds: 10,
    memoryMb: 512,
  },
  {
    id: 'canary-webhook',
    summary: 'Takes the webhooks of the canary; its role is read-only.',
    route: { method: 'POST', path: '/canary' },
    access: ['table:get', 'table:query', 'secrets:decrypt:webhook-secret'],
    timeoutSeconds: 10,
    memoryMb: 512,
  },
  {
    id: 'google-push',
    summary: 'Takes pushes of Pub/Sub: a Google mailbox has changed.',
    route: { method: 'POST', path: '/push/google/{app_id}' },
    access: ['table:query', 'table:put'],
    timeoutSeconds: 15,
    memoryMb: 512,
  },
  {
    id: 'microsoft-push',
    summary: 'Takes change notifications of Microsoft Graph: a Microsoft mailbox has changed.',
    route: { method: 'POST', path: '/push/microsoft/{workspace_id}/{mailbox_id}' },
    access: ['table:get', 'table:put', 'table:update'],
    timeoutSeconds: 10,
    memoryMb: 512,
  },
];

/** All routes of a public function. */
export function routesOf({ route, morePaths = [], answersHead }: PublicFunction): readonly PublicRoute[] {
  if (!route) return [];
  const methods: readonly Method[] = answersHead ? [route.method, 'HEAD'] : [route.method];
  return [route.path, ...morePaths].flatMap((path) => methods.map((method) => ({ method, path })));
}
