/** The one HTTP endpoint of the local AWS: reads who calls what, checks policy and faults, and has the service answer. */
import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type FaultEntry, type Faults, refusalOf } from './faults.ts';
import { jsonRefusal } from './json-protocol.ts';
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
import { isPresigned, readCredential, verifyPresigned } from './sigv4.ts';

export interface GatewayOptions {
  readonly clock: LocalClock;
  /** At most one per signing name. */
  readonly services: readonly AwsService[];
  /** Whether the policy of `role` allows what a call needs. `localAdmin` is not asked about. */
  readonly authorize: (role: string, needed: NeededPermission) => boolean;
  readonly faults: Faults;
  readonly recorder?: Recorder;
  /** 0 or absent: a free one. */
  readonly port?: number;
}

export interface Gateway {
  readonly url: string;
  readonly port: number;
  readonly recorder: Recorder;
  /** Ends open connections too. */
  close(): Promise<void>;
}

/** Room for S3's largest object here with its chunk framing. */
const bodyBytesMax = 66 * 1024 * 1024;

/** How a call ended: with an answer, or with a broken connection. */
type Outcome = AwsResponse | 'broken';

/** Starts the gateway on 127.0.0.1. */
export async function startGateway(options: GatewayOptions): Promise<Gateway> {
  const { clock, faults } = options;
  const recorder = options.recorder ?? createRecorder();
  const services = new Map(options.services.map((service) => [service.name, service]));
  const isAllowed = (principal: string, needed: NeededPermission) =>
    roleOf(principal) === localAdmin || options.authorize(roleOf(principal), needed);

  async function carryOut(
    service: AwsService,
    call: AwsCall,
    needed: readonly NeededPermission[],
  ): Promise<AwsResponse> {
    if (isPresigned(call.query)) verifyPresigned(call, clock.now());
    for (const permission of needed) {
      if (!isAllowed(call.principal, permission)) throw denial(call, permission);
    }
    return await service.handle(call);
  }

  async function answer(request: IncomingMessage): Promise<Outcome> {
    const body = await readBody(request);
    const startedAt = performance.now();
    const call = readCall(request, body ?? Buffer.alloc(0), recorder.metering, isAllowed);
    if (!call) {
      return jsonRefusal(new AwsError('MissingAuthenticationTokenException', 'The call is not signed.', 403));
    }
    const service = services.get(call.service);
    if (!service) return jsonRefusal(unknownService(call));
    const at = clock.now();
    let action = 'unknown';
    let resource = '';
    let outcome: Outcome;
    try {
      if (!body) throw new AwsError('EntityTooLarge', 'The request is larger than the local cloud takes.');
      action = service.action(call);
      const needed = service.permissions(call);
      resource = needed[0]?.resource ?? '';
      outcome = await withFault(faults.take(call, action), call, () => carryOut(service, call, needed));
    } catch (error) {
      outcome = service.refuse(error instanceof AwsError ? error : failure(service, action, error), call);
    }
    const { status, capacity, items } = outcome === 'broken' ? { status: 0 } : outcome;
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
      ...(items !== undefined && { items }),
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
        throw refusalOf(fault, call.service);
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
    answer(request)
      .then((outcome) => {
        if (outcome === 'broken') request.socket.destroy();
        else write(response, outcome, request.method);
      })
      // The client went away while its request was being read, or there is no way to write the answer.
      .catch((error: unknown) => request.socket.destroy(error instanceof Error ? error : undefined));
  });
  // SDK clients keep connections; one that is closed under a request in flight would look like a fault.
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
    // The rest is read and dropped: a client that still writes would see a reset instead of the refusal.
    if (bytes <= bodyBytesMax) chunks.push(chunk);
  }
  return bytes <= bodyBytesMax ? Buffer.concat(chunks) : null;
}

/** The call, or null when nobody signed it. */
function readCall(
  request: IncomingMessage,
  body: Buffer,
  metered: boolean,
  isAllowed: (principal: string, needed: NeededPermission) => boolean,
): AwsCall | null {
  const target = request.url ?? '/';
  const mark = target.indexOf('?');
  const path = decodePath(mark < 0 ? target : target.slice(0, mark));
  const query = new URLSearchParams(mark < 0 ? '' : target.slice(mark + 1));
  const credential = readCredential(request.headers.authorization, query);
  if (!credential || path === null) return null;
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(request.headers)) {
    headers[name] = Array.isArray(value) ? value.join(',') : (value ?? '');
  }
  return {
    ...credential,
    method: request.method ?? 'GET',
    path,
    query,
    headers,
    body,
    metered,
    isAllowed: (needed) => isAllowed(credential.principal, needed),
  };
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

/** AWS's wording, so that what reads it in production reads it here. */
function denial(call: AwsCall, needed: NeededPermission): AwsError {
  const caller = `arn:aws:sts::${localAccount}:assumed-role/${roleOf(call.principal)}/local`;
  return new AwsError(
    call.service === 's3' ? 'AccessDenied' : 'AccessDeniedException',
    `User: ${caller} is not authorized to perform: ${needed.action} on resource: ${needed.resource} ` +
      `because no identity-based policy allows the ${needed.action} action`,
    // The RPC services answer 400 to everything that is the client's fault.
    call.headers['x-amz-target'] ? 400 : 403,
  );
}

/** An emulator broke: that is ours to mend, so it goes to the terminal too. */
function failure(service: AwsService, action: string, error: unknown): AwsError {
  console.error(`local ${service.name} failed in ${action}:`, error);
  return new AwsError('InternalFailure', `The emulator failed: ${String(error)}`, 500);
}

function write(response: ServerResponse, answer: AwsResponse, method: string | undefined): void {
  const body = answer.body ?? '';
  response.writeHead(answer.status, {
    'x-amzn-requestid': randomUUID(),
    // An answer to HEAD names the length of what GET would bring.
    ...(method !== 'HEAD' && { 'content-length': Buffer.byteLength(body) }),
    ...answer.headers,
  });
  response.end(method === 'HEAD' ? undefined : body);
}
