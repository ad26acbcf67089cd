/** An HTTP server that keeps some of its requests waiting for ever. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

export interface HangingServer {
  readonly url: string;
  /** Method and path of every request, in order. */
  readonly requests: readonly string[];
}

/**
 * Listens on a free port until the end of the test.
 *
 * @param answer answers a request, or leaves it waiting; `count` is 1 for the first request
 */
export async function hangingServer(
  answer: (count: number, response: ServerResponse, request: IncomingMessage) => void = () => {},
): Promise<HangingServer> {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url}`);
    request.resume().on('end', () => answer(requests.length, response, request));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests };
}
