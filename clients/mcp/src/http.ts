/**
 * The server over HTTP without state: each POST is answered by itself, as JSON ("Transports", Model Context Protocol
 * specification, revisions 2025-03-26 to 2026-07-28).
 */
import {
  createMcpHandler,
  isLegacyRequest,
  readRequestBody,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import { Parley, type ParleyOptions, UnauthorizedError } from '../../typescript/src/index.ts';
import { scopeOf } from './scope.ts';
import { createServer, type ServerOptions } from './server.ts';

export interface HttpServerOptions {
  /** The client of a request, without its key. */
  readonly clientFor: (request: Request) => Omit<ParleyOptions, 'apiKey'>;
  /** Origins of pages whose scripts may call; requests of programs have none. */
  readonly origins: (request: Request) => readonly string[];
  /** Of a request body. */
  readonly bodyBytesMax: number;
  readonly onFault?: ServerOptions['onFault'];
}

const bearer = /^Bearer +([\x21-\x7e]{1,512})$/i;

/** Methods before which the scope of the key is found out; a call of a tool finds out by itself. */
const listing = new Set(['initialize', 'server/discover', 'tools/list']);

/** Answers requests; the path is the caller's matter. */
export function createHttpServer(options: HttpServerOptions): (request: Request) => Promise<Response> {
  return async (request) => {
    const refused = refusalOf(request, options);
    if (refused) return refused;
    const apiKey = bearer.exec(request.headers.get('authorization') ?? '')?.[1];
    if (apiKey === undefined) return unauthorized();
    const body = await readRequestBody(request.clone(), options.bodyBytesMax);
    if (body.tooLarge) return refusal(413, `The body has more than ${options.bodyBytesMax} bytes.`);
    const parsedBody = parsed(body.text);
    if (parsedBody === undefined) return refusal(400, 'The body is not JSON.', { code: -32700 });
    const client = { ...options.clientFor(request), apiKey };
    try {
      const scope = listing.has(methodOf(parsedBody)) ? await scopeOf(new Parley(client)) : null;
      return await answer(request, parsedBody, { client, scope, onFault: options.onFault });
    } catch (error) {
      if (error instanceof UnauthorizedError) return unauthorized();
      throw error;
    }
  };
}

function refusalOf(request: Request, { origins }: HttpServerOptions): Response | null {
  if (request.method !== 'POST') {
    return refusal(405, 'This server has no sessions and no streams: use POST.', {
      headers: { allow: 'POST' },
    });
  }
  // Else a page in a browser could reach a server on the machine of its reader (DNS rebinding).
  const origin = request.headers.get('origin');
  if (origin === null || origins(request).includes(origin)) return null;
  return refusal(403, 'Pages of this origin may not call this server.');
}

const unauthorized = () =>
  refusal(401, 'Send a valid API key as "Authorization: Bearer <API_KEY>".', {
    headers: { 'www-authenticate': 'Bearer' },
  });

function refusal(
  status: number,
  message: string,
  { code = -32600, headers = {} }: { readonly code?: number; readonly headers?: Record<string, string> } = {},
): Response {
  return Response.json({ jsonrpc: '2.0', error: { code, message }, id: null }, { status, headers });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const methodOf = (body: unknown): string => String((body as { method?: unknown } | null)?.method);

/** By the protocol that the request has: that with `initialize`, or that in which each request stands alone. */
async function answer(request: Request, parsedBody: unknown, options: ServerOptions): Promise<Response> {
  if (await isLegacyRequest(request, parsedBody)) return await answerLegacy(request, parsedBody, options);
  const handler = createMcpHandler(() => createServer(options), {
    legacy: 'reject',
    responseMode: 'json',
    // A subscription would be a stream that does not end.
    maxSubscriptions: 0,
  });
  return await whole(await handler.fetch(request, { parsedBody }), handler.close);
}

async function answerLegacy(
  request: Request,
  parsedBody: unknown,
  options: ServerOptions,
): Promise<Response> {
  const server = createServer(options);
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  await server.connect(transport);
  return await whole(await transport.handleRequest(request, { parsedBody }), () => server.close());
}

/** The answer with its body read, after which nothing is open. */
async function whole(response: Response, close: () => Promise<void>): Promise<Response> {
  const { status, headers } = response;
  const text = await response.text();
  await close();
  return new Response(text === '' ? null : text, { status, headers });
}
