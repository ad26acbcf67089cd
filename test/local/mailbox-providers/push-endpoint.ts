/** An endpoint for push notifications that answers as a test says. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ReceivedPush {
  /** Path and query. */
  readonly target: string;
  readonly authorization: string;
  readonly body: string;
}

/** Answers with `statuses` in turn, then with 204; the validation handshake of Microsoft Graph with its token. */
export async function startPushEndpoint(statuses: number[] = [], { validates = true } = {}) {
  const received: ReceivedPush[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    const target = request.url ?? '';
    const token = new URL(target, 'http://local').searchParams.get('validationToken');
    if (token !== null && validates) {
      response.writeHead(200, { 'content-type': 'text/plain' }).end(token);
      return;
    }
    const { authorization = '' } = request.headers;
    received.push({ target, authorization, body: Buffer.concat(chunks).toString() });
    response.writeHead(statuses.shift() ?? 204).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/push`,
    received,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
