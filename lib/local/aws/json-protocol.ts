/** The JSON protocols of AWS: which operation is called, its input, and how answers and refusals are written. */
import * as z from 'zod';
import { type AwsCall, AwsError, type AwsResponse } from './service.ts';

const parsed = new WeakMap<AwsCall, Record<string, unknown>>();
const anObject = z.record(z.string(), z.unknown());

/** The body as an object, parsed once per call; no body is an empty one. */
export function jsonBody(call: AwsCall): Record<string, unknown> {
  const known = parsed.get(call);
  if (known) return known;
  let body: Record<string, unknown>;
  try {
    body = anObject.parse(call.body.length > 0 ? JSON.parse(call.body.toString()) : {});
  } catch {
    throw new AwsError('SerializationException', 'The body is not a JSON object.');
  }
  parsed.set(call, body);
  return body;
}

/**
 * An input as the schema describes it. A parameter that the schema does not know is refused: it would be ignored here
 * and count in AWS.
 */
export function parseInput<S extends z.ZodType>(schema: S, input: unknown): z.output<S> {
  const result = schema.safeParse(input);
  if (result.success) return result.data;
  throw new AwsError('ValidationException', z.prettifyError(result.error));
}

/** The operation in `X-Amz-Target: Prefix.Operation`, when it is one of `known`. */
export function targetOperation<Known extends string>(
  call: AwsCall,
  service: string,
  known: readonly Known[],
): Known {
  const name = (call.headers['x-amz-target'] ?? '').split('.').at(-1) ?? '';
  return known.find((operation) => operation === name) ?? refuseUnknown(service, name || call.path);
}

/** Refuses a call that the emulator does not carry out. */
export function refuseUnknown(service: string, action: string): never {
  throw new AwsError(
    'UnknownOperationException',
    `The local cloud does not emulate ${action} of ${service}.`,
  );
}

/** @param version of the protocol: `1.0` or `1.1`; absent for REST-JSON */
export function jsonAnswer(body: unknown, version?: '1.0' | '1.1', status = 200): AwsResponse {
  return { status, headers: { 'content-type': contentType(version) }, body: JSON.stringify(body) };
}

/** Header and body both carry the code: the RPC protocols read `__type`, REST-JSON the header. */
export function jsonRefusal(refusal: AwsError, version?: '1.0' | '1.1'): AwsResponse {
  return {
    status: refusal.status,
    headers: { 'content-type': contentType(version), 'x-amzn-errortype': refusal.code },
    body: JSON.stringify({ __type: refusal.code, message: refusal.message }),
  };
}

function contentType(version?: string): string {
  return version ? `application/x-amz-json-${version}` : 'application/json';
}
