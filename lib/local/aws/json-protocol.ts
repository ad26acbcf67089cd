/** The JSON protocols of AWS (AWS JSON 1.0, 1.1, REST-JSON): operation names, inputs, responses, errors. */
import * as z from 'zod';
import { type AwsCall, AwsError, type AwsResponse } from './service.ts';

const parsedBodies = new WeakMap<AwsCall, Record<string, unknown>>();

/** The body as an object, parsed once per call; an empty body is an empty object. */
export function jsonBody(call: AwsCall): Record<string, unknown> {
  const known = parsedBodies.get(call);
  if (known) return known;
  let body: Record<string, unknown>;
  try {
    body = objectOf(call.body.length > 0 ? JSON.parse(call.body.toString()) : {});
  } catch {
    throw new AwsError('SerializationException', 'The body is not a JSON object.');
  }
  parsedBodies.set(call, body);
  return body;
}

/** A check instead of a schema: it is done for every call. */
function objectOf(value: unknown): Record<string, unknown> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value };
  throw new TypeError('not an object');
}

/**
 * Parses an input. Unknown parameters are errors: AWS would honour them, the emulator would not.
 *
 * @throws AwsError `ValidationException`
 */
export function parseInput<S extends z.ZodType>(schema: S, input: unknown): z.output<S> {
  const result = schema.safeParse(input);
  if (result.success) return result.data;
  throw new AwsError('ValidationException', z.prettifyError(result.error));
}

/** The operation in `X-Amz-Target: Prefix.Operation`. @throws AwsError when it is none of `known` */
export function targetOperation<Known extends string>(
  call: AwsCall,
  service: string,
  known: readonly Known[],
): Known {
  const name = (call.headers['x-amz-target'] ?? '').split('.').at(-1) ?? '';
  return known.find((operation) => operation === name) ?? unsupported(service, name || call.path);
}

/** @throws AwsError `UnknownOperationException`, always */
export function unsupported(service: string, action: string): never {
  throw new AwsError(
    'UnknownOperationException',
    `The local cloud does not emulate ${action} of ${service}.`,
  );
}

/** @param version of AWS JSON; absent: REST-JSON */
export function jsonResponse(body: unknown, version?: '1.0' | '1.1', status = 200): AwsResponse {
  return { status, headers: { 'content-type': contentType(version) }, body: JSON.stringify(body) };
}

/** The code is in the body for AWS JSON (`__type`) and in a header for REST-JSON. */
export function jsonError(error: AwsError, version?: '1.0' | '1.1'): AwsResponse {
  return {
    status: error.status,
    headers: { 'content-type': contentType(version), 'x-amzn-errortype': error.code },
    body: JSON.stringify({ __type: error.code, message: error.message }),
  };
}

function contentType(version?: string): string {
  return version ? `application/x-amz-json-${version}` : 'application/json';
}
