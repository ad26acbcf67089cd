/** One call through the gateway: authenticates, authorizes, injects faults, dispatches, records. */
import type { IncomingMessage } from 'node:http';
import { type FaultEntry, type Faults, faultError } from './faults.ts';
import { readBody, readCall } from './gateway-request.ts';
import { jsonError } from './json-protocol.ts';
import type { Recorder } from './recorder.ts';
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
import { isPresigned, verifyPresigned, verifySigned } from './sigv4.ts';

export interface CallOptions {
  readonly clock: Pick<LocalClock, 'now'>;
  /** One per signing name. */
  readonly services: readonly AwsService[];
  /** Whether a role has a permission. Not called for `localAdmin`. */
  readonly authorize: (role: string, needed: NeededPermission) => boolean;
  readonly faults: Faults;
}

/** A response, or a broken connection. */
export type Outcome = AwsResponse | 'broken';

/** Returns a function that carries out the call of a request. */
export function createCallHandler(
  options: CallOptions,
  recorder: Recorder,
): (request: IncomingMessage) => Promise<Outcome> {
  const { clock, faults } = options;
  const services = new Map(options.services.map((service) => [service.name, service]));
  const isAllowed = (principal: string, needed: NeededPermission) =>
    roleOf(principal) === localAdmin || options.authorize(roleOf(principal), needed);

  /** Carries out a call of a known service. `resource`: of the first required permission; empty when the call failed earlier. */
  const dispatch = async (service: AwsService, call: AwsCall, isTooLarge: boolean) => {
    let action = 'unknown';
    let resource = '';
    let outcome: Outcome;
    let fault: FaultEntry | undefined;
    try {
      if (isTooLarge)
        throw new AwsError('EntityTooLarge', 'The request is larger than the local cloud accepts.');
      action = service.action(call);
      const needed = service.permissions(call);
      resource = needed[0]?.resource ?? '';
      fault = faults.consume(call, action);
      outcome = await withFault(faults, fault, call, async () => {
        authorizeCall(call, needed, isAllowed, clock.now());
        return await service.handle(call);
      });
    } catch (error) {
      const known = error instanceof AwsError ? error : emulatorFailure(service, action, error);
      outcome = { ...service.errorResponse(known, call), ...throttlingBy(fault, service, action) };
    }
    return { action, resource, outcome };
  };

  return async (request) => {
    const body = await readBody(request);
    const startedAt = performance.now();
    const call = readCall(request, body ?? Buffer.alloc(0), recorder.metering, isAllowed);
    if (!call) {
      return jsonError(new AwsError('MissingAuthenticationTokenException', 'The call is not signed.', 403));
    }
    const service = services.get(call.service);
    if (!service) return jsonError(unknownService(call));
    // A browser asks before it calls another origin, without a signature ("CORS protocol", Fetch Standard).
    if (call.method === 'OPTIONS') return preflightAnswer(service, call);
    const at = clock.now();
    const { action, resource, outcome } = await dispatch(service, call, body === null);
    if (outcome !== 'broken') recorder.onExchange?.({ action, call, response: outcome });
    recorder.note({
      at,
      principal: call.principal,
      service: call.service,
      action,
      resource,
      startedAt,
      ms: performance.now() - startedAt,
      ...measuresOf(outcome),
    });
    if (outcome === 'broken') return outcome;
    return { ...outcome, headers: { ...outcome.headers, ...service.corsHeaders?.(call) } };
  };
}

function preflightAnswer(service: AwsService, call: AwsCall): AwsResponse {
  const headers = service.corsHeaders?.(call) ?? null;
  if (headers) return { status: 200, headers };
  return service.errorResponse(
    new AwsError('AccessForbidden', 'CORSResponse: This CORS request is not allowed.', 403),
    call,
  );
}

/** @throws AwsError when the signature is wrong or a permission is missing */
function authorizeCall(
  call: AwsCall,
  needed: readonly NeededPermission[],
  isAllowed: (principal: string, needed: NeededPermission) => boolean,
  nowMs: number,
): void {
  if (isPresigned(call.query)) verifyPresigned(call, nowMs);
  else verifySigned(call);
  for (const permission of needed) {
    if (!isAllowed(call.principal, permission)) throw accessDenied(call, permission);
  }
}

async function withFault(
  faults: Pick<Faults, 'kill'>,
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

/** The place that a throttled call of DynamoDB was throttled at. */
function throttlingBy(
  fault: FaultEntry | undefined,
  { name }: AwsService,
  action: string,
): Pick<AwsResponse, 'throttled'> {
  if (fault?.kind !== 'throttle' || name !== 'dynamodb') return {};
  const { index = null } = fault;
  const access = /Put|Update|Delete|Write/.test(action) ? 'Write' : 'Read';
  const reason = `${index === null ? 'Table' : 'Index'}${access}KeyRangeThroughputExceeded`;
  return { throttled: [{ index, partition: '', reason }] };
}

/** What the recorder notes of a response. */
function measuresOf(outcome: Outcome) {
  if (outcome === 'broken') return { status: 0 };
  const { status, capacity, consumed, items, keys, throttled } = outcome;
  return {
    status,
    ...(capacity !== undefined && { capacity }),
    ...(consumed !== undefined && { consumed }),
    ...(throttled !== undefined && { throttled }),
    ...(items !== undefined && { items }),
    ...(keys !== undefined && { keys }),
  };
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
