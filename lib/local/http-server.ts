/** The HTTP server in front of the API and the control routes: whole requests in, whole answers out. */
import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface HttpResponse {
  readonly statusCode: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly cookies: readonly string[];
  readonly body: Buffer;
}

export interface HttpRequest {
  readonly method: string;
  /** As sent, query included. */
  readonly target: string;
  /** Name and value alternating, as sent. */
  readonly rawHeaders: readonly string[];
  readonly body: Buffer;
  readonly sourceIp: string;
}

/** Limits of HTTP APIs (API Gateway quotas). */
export const bodyBytesMax = 10 * 1024 * 1024;
const headerBytesMax = 10_240;

/** A server of the local cloud. */
export interface LocalServer {
  readonly port: number;
  close(): Promise<void>;
}

/** Serves requests on 127.0.0.1; `answer` must not throw. */
export async function startHttp(
  port: number,
  answer: (request: HttpRequest) => Promise<HttpResponse>,
): Promise<LocalServer> {
  const server = createServer({ maxHeaderSize: headerBytesMax }, async (incoming, outgoing) => {
    const body = await readBody(incoming);
    if (body === null) return;
    const request: HttpRequest = {
      method: incoming.method ?? 'GET',
      target: incoming.url ?? '/',
      rawHeaders: incoming.rawHeaders,
      body,
      sourceIp: incoming.socket.remoteAddress ?? '127.0.0.1',
    };
    write(outgoing, await answer(request));
  });
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

/** The body, one byte beyond the limit at most; null where the client went away. */
async function readBody(incoming: IncomingMessage): Promise<Buffer | null> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of incoming as AsyncIterable<Buffer>) {
      // What is beyond the limit is read and dropped, so that the client gets to see the answer.
      if (bytes <= bodyBytesMax) chunks.push(chunk);
      bytes += chunk.length;
    }
  } catch {
    return null;
  }
  return Buffer.concat(chunks).subarray(0, bodyBytesMax + 1);
}

/** A HEAD may tell the length of what it does not bring. */
function lengthOf({ req }: ServerResponse, { headers, body }: HttpResponse): number {
  const told = req.method === 'HEAD' ? headers['content-length'] : undefined;
  return told === undefined ? body.length : Number(told);
}

function write(outgoing: ServerResponse, answer: HttpResponse): void {
  outgoing.writeHead(answer.statusCode, {
    ...answer.headers,
    ...(answer.cookies.length > 0 && { 'set-cookie': [...answer.cookies] }),
    ...(answer.statusCode !== 204 &&
      answer.statusCode !== 304 && { 'content-length': lengthOf(outgoing, answer) }),
    'apigw-requestid': randomUUID().slice(0, 16),
  });
  outgoing.end(answer.body);
}
