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

/**
 * The same for services that describe each broken constraint in one sentence, as AWS KMS and EventBridge Scheduler do. What
 * the emulator alone refuses, it says in words of its own.
 *
 * @throws AwsError `ValidationException`
 */
export function parseConstrained<S extends z.ZodType>(schema: S, input: unknown, name?: string): z.output<S> {
  const result = schema.safeParse(input, { reportInput: true });
  if (result.success) return result.data;
  const sentences = result.error.issues.map((issue) => constraintOf(issue, name));
  if (sentences.some((sentence) => sentence === null)) {
    throw new AwsError('ValidationException', z.prettifyError(result.error));
  }
  const errors = sentences.length === 1 ? '1 validation error' : `${sentences.length} validation errors`;
  throw new AwsError('ValidationException', `${errors} detected: ${sentences.join('; ')}`);
}

/** A broken constraint in AWS's words; null for what is no constraint of AWS. */
function constraintOf(issue: z.core.$ZodIssue, name = ''): string | null {
  const constraint = constraintText(issue);
  if (constraint === null) return null;
  const path = issue.path.map((part) => memberName(String(part))).join('.') || name;
  const value = typeof issue.input === 'string' ? `Value '${issue.input}'` : 'Value';
  const subject = issue.input === undefined ? 'Value null' : value;
  return `${subject} at '${path}' failed to satisfy constraint: ${constraint}`;
}

function constraintText(issue: z.core.$ZodIssue): string | null {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined ? 'Member must not be null' : null;
    case 'too_big':
      return `Member must have length less than or equal to ${issue.maximum}`;
    case 'too_small':
      return `Member must have length greater than or equal to ${issue.minimum}`;
    case 'invalid_format':
      return issue.pattern === undefined
        ? null
        : `Member must satisfy regular expression pattern: ${issue.pattern.replace(/^\/\^|\$\/$/g, '')}`;
    case 'invalid_value':
      // Of a single value, the emulator knows no other.
      return issue.values.length > 1
        ? `Member must satisfy enum value set: [${issue.values.map(String).join(', ')}]`
        : null;
    default:
      return null;
  }
}

const memberName = (member: string): string => member.charAt(0).toLowerCase() + member.slice(1);

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
  return errorResponse(error, { __type: error.code, message: error.message }, version);
}

/** An error of a service whose model names the member `Message`, as that of EventBridge Scheduler does. */
export function modelledError(error: AwsError): AwsResponse {
  return errorResponse(error, { Message: error.message });
}

function errorResponse({ status, code }: AwsError, body: object, version?: '1.0' | '1.1'): AwsResponse {
  const headers = { 'content-type': contentType(version), 'x-amzn-errortype': code };
  return { status, headers, body: JSON.stringify(body) };
}

function contentType(version?: string): string {
  return version ? `application/x-amz-json-${version}` : 'application/json';
}
