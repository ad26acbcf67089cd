/** An HTTP client that sends requests as they are: any method of HTTP, any path, a body with any method. */
import { Agent, request } from 'node:http';

export interface HttpRequest {
  readonly method: string;
  /** With the query; sent as it is. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Buffer;
}

export interface HttpResponse {
  readonly status: number;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  /** From the request to the last byte of the response, milliseconds. */
  readonly ms: number;
}

export interface HttpClient {
  send(request: HttpRequest): Promise<HttpResponse>;
  close(): void;
}

/** A path that Node.js accepts in a request line: other characters in percent encoding. */
function escaped(path: string): string {
  return path.toWellFormed().replace(/[^\x21-\x7e]+/gu, encodeURIComponent);
}

/** @param origin `http://host:port` */
export function createHttpClient(origin: string): HttpClient {
  const agent = new Agent({ keepAlive: true });
  const { hostname, port } = new URL(origin);
  return {
    send: ({ method, path, headers = {}, body }) =>
      new Promise((resolve, reject) => {
        const startedAt = performance.now();
        const length = body && { 'content-length': String(body.length) };
        const outgoing = request(
          { agent, hostname, port, method, path: escaped(path), headers: { ...headers, ...length } },
          (incoming) => {
            const chunks: Buffer[] = [];
            incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
            incoming.on('error', reject);
            incoming.on('end', () =>
              resolve({
                status: incoming.statusCode ?? 0,
                headers: Object.fromEntries(
                  Object.entries(incoming.headers).map(([name, value]) => [name, String(value)]),
                ),
                body: Buffer.concat(chunks),
                ms: performance.now() - startedAt,
              }),
            );
          },
        );
        outgoing.on('error', reject);
        outgoing.end(body);
      }),
    close: () => agent.destroy(),
  };
}
