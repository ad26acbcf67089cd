/** The HTTP endpoint of all emulated AWS services: authenticates, authorizes, injects faults, dispatches, records. */
import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type FaultEntry, type Faults, faultError } from './faults.ts';
import { jsonError } from './json-protocol.ts';
import { createRecorder, type Recorder } from './recorder.ts';
import {
  type AwsCall,
  AwsError,
  type AwsResponse,
  type AwsService,
  type LocalClock,
  localAccount,
  localAdmin,
  type NeededPermission,
  roleOf,
} from './service.ts';
import { isPresigned, readCredential, verifyPresigned, verifySigned } from './sigv4.ts';

export interface GatewayOptions {
  readonly clock: LocalClock;
  /** One per signing name. */
  readonly services: readonly AwsService[];
  /** Whether a role has a permission. Not called for `localAdmin`. */
  readonly authorize: (role: string, needed: NeededPermission) => boolean;
  readonly faults: Faults;
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

/** S3's largest object here plus chunk framing. */
const bodyBytesMax = 66 * 1024 * 1024;

/** A response, or a broken connection. */
type Outcome = AwsResponse | 'broken';

/** Starts the gateway on 127.0.0.1. */
export async function startGateway(options: GatewayOptions): Promise<Gateway> {
  const { clock, faults } = options;
  const recorder = options.recorder ?? createRecorder();
  const services = new Map(options.services.map((service) => [service.name, service]));
  const isAllowed = (principal: string, needed: NeededPermission) =>
    roleOf(principal) === localAdmin || options.authorize(roleOf(principal), needed);

  async function execute(
    service: AwsService,
    call: AwsCall,
    needed: readonly NeededPermission[],
  ): Promise<AwsResponse> {
    if (isPresigned(call.query)) verifyPresigned(call, clock.now());
    else verifySigned(call);
    for (const permission of needed) {
      if (!isAllowed(call.principal, permission)) throw accessDenied(call, permission);
    }
    return await service.handle(call);
  }

  async function respond(request: IncomingMessage): Promise<Outcome> {
    const body = await readBody(request);
    const startedAt = performance.now();
    const call = readCall(request, body ?? Buffer.alloc(0), recorder.metering, isAllowed);
    if (!call) {
      return jsonError(new AwsError('MissingAuthenticationTokenException', 'The call is not signed.', 403));
    }
    const service = services.get(call.service);
    if (!service) return jsonError(unknownService(call));
    const at = clock.now();
    let action = 'unknown';
    let resource = '';
    let outcome: Outcome;
    try {
      if (!body) throw new AwsError('EntityTooLarge', 'The request is larger than the local cloud accepts.');
      action = service.action(call);
      const needed = service.permissions(call);
      resource = needed[0]?.resource ?? '';
      outcome = await withFault(faults.consume(call, action), call, () => execute(service, call, needed));
    } catch (error) {
      outcome = service.errorResponse(
        error instanceof AwsError ? error : emulatorFailure(service, action, error),
        call,
      );
    }
    const { status, capacity, consumed, items, keys, throttled } =
      outcome === 'broken' ? { status: 0 } : outcome;
    recorder.note({
      at,
      principal: call.principal,
      service: call.service,
      action,
      resource,
      startedAt,
      ms: performance.now() - startedAt,
      status,
      ...(capacity !== undefined && { capacity }),
      ...(consumed !== undefined && { consumed }),
      ...(throttled !== undefined && { throttled }),
      ...(items !== undefined && { items }),
      ...(keys !== undefined && { keys }),
    });
    return outcome;
  }

  async function withFault(
    fault: FaultEntry | undefined,
    call: AwsCall,
    proceed: () => Promise<AwsResponse>,
  ): Promise<Outcome> {
    switch (fault?.kind) {
      case undefined:
        return await proceed();
      case 'throttle':
      case 'error':
        throw faultError(fault, call.service);
      case 'drop-before':
        return 'broken';
      case 'timeout-after':
        await proceed();
        return 'broken';
      case 'kill-before':
        faults.kill(call.principal);
        return 'broken';
      case 'kill-after':
        await proceed();
        faults.kill(call.principal);
        return 'broken';
    }
  }

  const server = createServer((request, response) => {
    respond(request)
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

async function readBody(request: IncomingMessage): Promise<Buffer | null> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request) {
    bytes += chunk.length;
    // Reads the rest, so that the client sees the error instead of a connection reset.
    if (bytes <= bodyBytesMax) chunks.push(chunk);
  }
  return bytes <= bodyBytesMax ? Buffer.concat(chunks) : null;
}

/** The call; null when it is not signed. */
function readCall(
  request: IncomingMessage,
  body: Buffer,
  metered: boolean,
  isAllowed: (principal: string, needed: NeededPermission) => boolean,
): AwsCall | null {
  const target = request.url ?? '/';
  const queryAt = target.indexOf('?');
  const rawPath = queryAt < 0 ? target : target.slice(0, queryAt);
  const path = decodePath(rawPath);
  const query = new URLSearchParams(queryAt < 0 ? '' : target.slice(queryAt + 1));
  const credential = readCredential(request.headers.authorization, query);
  if (!credential || path === null) return null;
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(request.headers)) {
    headers[name] = Array.isArray(value) ? value.join(',') : (value ?? '');
  }
  return {
    ...credential,
    method: request.method ?? 'GET',
    path: credential.service === 's3' ? withHostBucket(path, request.headers.host) : path,
    rawPath,
    query,
    headers,
    body,
    metered,
    isAllowed: (needed) => isAllowed(credential.principal, needed),
  };
}

/** The path-style form of a virtual-hosted-style request: `BUCKET.s3.REGION.amazonaws.com`, `BUCKET.localhost` (S3 user guide, "Virtual hosting of general purpose buckets"). */
function withHostBucket(path: string, host = ''): string {
  const bucket = /^([a-z0-9][a-z0-9.-]+?)\.(?:s3[.-]|localhost(?::|$))/.exec(host)?.[1];
  return bucket === undefined ? path : `/${bucket}${path}`;
}

function decodePath(path: string): string | null {
  try {
    return decodeURIComponent(path);
  } catch {
    return null;
  }
}

function unknownService(call: AwsCall): AwsError {
  const action = call.headers['x-amz-target'] ?? `${call.method} ${call.path}`;
  return new AwsError(
    'UnknownOperationException',
    `The local cloud does not emulate ${call.service} (asked for ${action}).`,
  );
}

/** Access denied in AWS's wording. */
function accessDenied(call: AwsCall, needed: NeededPermission): AwsError {
  const caller = `arn:aws:sts::${localAccount}:assumed-role/${roleOf(call.principal)}/local`;
  return new AwsError(
    call.service === 's3' ? 'AccessDenied' : 'AccessDeniedException',
    `User: ${caller} is not authorized to perform: ${needed.action} on resource: ${needed.resource} ` +
      `because no identity-based policy allows the ${needed.action} action`,
    // The AWS JSON protocols use 400 for client errors.
    call.headers['x-amz-target'] ? 400 : 403,
  );
}

/** A defect of an emulator: printed, and returned as 500. */
function emulatorFailure(service: AwsService, action: string, error: unknown): AwsError {
  console.error(`local ${service.name} failed in ${action}:`, error);
  return new AwsError('InternalFailure', `The emulator failed: ${String(error)}`, 500);
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
