/** An HTTP proxy in front of the local cloud that loses requests and answers by a script. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/**
 * What becomes of a request: `pass`; `lose-request`, it never reaches the service; `lose-answer`, it is carried out, and the
 * connection ends without an answer; `cut-answer`, half of the body arrives; `gateway`, it is carried out and answered by 503.
 */
export type Loss = 'pass' | 'lose-request' | 'lose-answer' | 'cut-answer' | 'cut-json' | 'gateway';

export interface LossyProxy {
  /** With the path of the API. */
  readonly baseUrl: string;
  /** `POST /api/v2/emails` for each request. */
  readonly requests: readonly string[];
}

/** @param losses of the requests in their order; those after them pass */
export async function lossyProxy(target: string, losses: readonly Loss[]): Promise<LossyProxy> {
  const requests: string[] = [];
  const server = createServer(async (incoming, outgoing) => {
    const loss = losses[requests.length] ?? 'pass';
    requests.push(`${incoming.method} ${incoming.url}`);
    if (loss === 'lose-request') return incoming.socket.destroy();
    const answer = await forward(incoming, target);
    give(answer, loss, outgoing);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const { port } = server.address() as AddressInfo;
  return { baseUrl: `http://127.0.0.1:${port}${new URL(target).pathname}`, requests };
}

interface Answer {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body: Buffer;
}

async function forward(incoming: IncomingMessage, target: string): Promise<Answer> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming as AsyncIterable<Buffer>) chunks.push(chunk);
  const { host, connection, 'content-length': _, 'transfer-encoding': __, ...headers } = incoming.headers;
  const body = Buffer.concat(chunks);
  const response = await fetch(new URL(incoming.url ?? '', target), {
    method: incoming.method ?? 'GET',
    headers: headers as Record<string, string>,
    redirect: 'manual',
    ...(body.length > 0 && { body: new Uint8Array(body) }),
  });
  return {
    status: response.status,
    headers: Object.fromEntries(response.headers),
    body: Buffer.from(await response.arrayBuffer()),
  };
}

function give({ status, headers, body }: Answer, loss: Loss, outgoing: ServerResponse): void {
  const half = body.subarray(0, Math.floor(body.length / 2));
  if (loss === 'lose-answer') {
    outgoing.destroy();
  } else if (loss === 'cut-answer') {
    outgoing.writeHead(status, { ...headers, 'content-length': String(body.length) });
    outgoing.write(half, () => outgoing.destroy());
  } else if (loss === 'cut-json') {
    outgoing.writeHead(status, { ...headers, 'content-length': String(half.length) }).end(half);
  } else if (loss === 'gateway') {
    const text = '{"message":"Service Unavailable"}';
    outgoing.writeHead(503, { 'content-type': 'application/json' }).end(text);
  } else {
    outgoing.writeHead(status, headers).end(body);
  }
}
