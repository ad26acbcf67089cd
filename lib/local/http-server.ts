/** The HTTP server of the API, the control routes and the mailbox providers: buffered requests and responses. */
import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';

export interface HttpResponse {
  readonly statusCode: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly cookies: readonly string[];
  readonly body: Buffer;
}

export interface HttpRequest {
  readonly method: string;
  /** Request target: path and query. */
  readonly target: string;
  /** Names and values alternating, as received. */
  readonly rawHeaders: readonly string[];
  readonly body: Buffer;
  readonly sourceIp: string;
}

/** Limits of HTTP APIs (API Gateway, "Quotas for configuring and running an HTTP API"). */
export const bodyBytesMax = 10 * 1024 * 1024;
const headerBytesMax = 10_240;

/** A server of the local cloud. */
export interface LocalServer {
  readonly port: number;
  close(): Promise<void>;
}

/** Limits and headers of a server; defaults: those of API Gateway. */
export interface HttpOptions {
  readonly bodyBytesMax?: number;
  readonly headerBytesMax?: number;
  /** Takes over requests to upgrade a connection; default: they are refused. */
  readonly upgrade?: (request: IncomingMessage, socket: Duplex, head: Buffer) => void;
  /** Added to each response. */
  readonly addedHeaders?: () => Readonly<Record<string, string>>;
}

/**
 * Serves requests on 127.0.0.1. The body of a request is cut one byte above the limit.
 *
 * @param handle must not throw; null: breaks the connection
 */
export async function startHttp(
  port: number,
  handle: (request: HttpRequest) => Promise<HttpResponse | null>,
  options: HttpOptions = {},
): Promise<LocalServer> {
  const { addedHeaders = gatewayHeaders } = options;
  const maxHeaderSize = options.headerBytesMax ?? headerBytesMax;
  const server = createServer({ maxHeaderSize }, async (incoming, outgoing) => {
    const body = await readBody(incoming, options.bodyBytesMax ?? bodyBytesMax);
    if (body === null) return;
    const request: HttpRequest = {
      method: incoming.method ?? 'GET',
      target: incoming.url ?? '/',
      rawHeaders: incoming.rawHeaders,
      body,
      sourceIp: incoming.socket.remoteAddress ?? '127.0.0.1',
    };
    const response = await handle(request);
    if (response === null) incoming.socket.destroy();
    else write(outgoing, response, addedHeaders());
  });
  if (options.upgrade) server.on('upgrade', options.upgrade);
  server.keepAliveTimeout = 600_000;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** The body, cut one byte above the limit; null: the client closed the connection. */
async function readBody(incoming: IncomingMessage, bytesMax: number): Promise<Buffer | null> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of incoming as AsyncIterable<Buffer>) {
      // Reads the rest, so that the client receives the response.
      if (bytes <= bytesMax) chunks.push(chunk);
      bytes += chunk.length;
    }
  } catch {
    return null;
  }
  return Buffer.concat(chunks).subarray(0, bytesMax + 1);
}

/** Content-Length; a HEAD response may set the one of GET (RFC 9110 section 8.6). */
function lengthOf({ req }: ServerResponse, { headers, body }: HttpResponse): number {
  const declared = req.method === 'HEAD' ? headers['content-length'] : undefined;
  return declared === undefined ? body.length : Number(declared);
}

/** API Gateway names each request. */
const gatewayHeaders = () => ({ 'apigw-requestid': randomUUID().slice(0, 16) });

function write(
  outgoing: ServerResponse,
  response: HttpResponse,
  added: Readonly<Record<string, string>>,
): void {
  outgoing.writeHead(response.statusCode, {
    ...response.headers,
    ...(response.cookies.length > 0 && { 'set-cookie': [...response.cookies] }),
    ...(response.statusCode !== 204 &&
      response.statusCode !== 304 && { 'content-length': lengthOf(outgoing, response) }),
    ...added,
  });
  outgoing.end(response.body);
}
