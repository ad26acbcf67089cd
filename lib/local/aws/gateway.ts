/** The HTTP endpoint of all emulated AWS services. */
import { randomUUID } from 'node:crypto';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type CallOptions, createCallHandler } from './gateway-calls.ts';
import { createRecorder, type Recorder } from './recorder.ts';
import type { AwsResponse } from './service.ts';

export interface GatewayOptions extends CallOptions {
  readonly recorder?: Recorder;
  /** Default 0: a free port. */
  readonly port?: number;
}

export interface Gateway {
  readonly url: string;
  readonly port: number;
  readonly recorder: Recorder;
  /** Also closes open connections. */
  close(): Promise<void>;
}

/** Starts the gateway on 127.0.0.1. */
export async function startGateway(options: GatewayOptions): Promise<Gateway> {
  const { recorder = createRecorder() } = options;
  const carryOut = createCallHandler(options, recorder);
  const server = createServer((request, response) => {
    carryOut(request)
      .then((outcome) => {
        if (outcome === 'broken') request.socket.destroy();
        else writeResponse(response, outcome, request.method);
      })
      // The client closed the connection.
      .catch((error: unknown) => request.socket.destroy(error instanceof Error ? error : undefined));
  });
  // Longer than SDK clients keep idle connections: closing one during a request would look like a fault.
  server.keepAliveTimeout = 600_000;
  server.requestTimeout = 0;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port ?? 0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    recorder,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function writeResponse(outgoing: ServerResponse, response: AwsResponse, method: string | undefined): void {
  const body = response.body ?? '';
  outgoing.writeHead(response.status, {
    'x-amzn-requestid': randomUUID(),
    // A HEAD response carries the length of the GET response.
    ...(method !== 'HEAD' && { 'content-length': Buffer.byteLength(body) }),
    ...response.headers,
  });
  outgoing.end(method === 'HEAD' ? undefined : body);
}
