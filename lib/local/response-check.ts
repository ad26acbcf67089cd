/** Checks every API response against its contract, as the OpenAPI document describes it. */
import { isDeepStrictEqual } from 'node:util';
import { problemStatus } from '../core/problems.ts';
import type { Contract } from '../http/contract.ts';
import { errorHeaders } from '../http/openapi-errors.ts';
import { admittedResponse } from '../http/openapi-headers.ts';
import { codesOf, v1CodesOf } from '../http/operation-codes.ts';
import { problemMediaType, problemSchema } from '../http/problem-body.ts';
import { v1ErrorSchema, v1ErrorStatus } from '../http/v1-error.ts';
import { versionOf } from '../http/versions.ts';
import type { Route } from './api.ts';
import type { HttpResponse } from './http-server.ts';

/**
 * A `reviewResponse` for `handleRequest`: replaces a response that its contract does not describe by a 500 with the reason.
 *
 * @param report is called with each reason
 */
export function responseCheck(
  contracts: readonly Contract[],
  report: (detail: string) => void = console.error,
): (route: Route, response: HttpResponse) => HttpResponse {
  const byRoute = new Map(contracts.map((contract) => [`${contract.method} ${contract.path}`, contract]));
  const errors = new Map<Contract, DescribedError[]>();
  const errorsOf = (contract: Contract): DescribedError[] => {
    const described = errors.get(contract) ?? describedErrors(contract);
    errors.set(contract, described);
    return described;
  };
  return (route, response) => {
    const contract = byRoute.get(`${route.method} ${route.path}`);
    if (!contract) return response;
    const mismatch =
      response.statusCode < 400
        ? mismatchOf(contract, response)
        : errorMismatchOf(contract, errorsOf(contract), response);
    if (mismatch === null) return response;
    const detail = `${contract.id} returned ${response.statusCode}: ${mismatch}`;
    report(detail);
    return mismatchResponse(detail);
  };
}

interface DescribedError {
  readonly status: number;
  readonly code: string;
}

function describedErrors(contract: Contract): DescribedError[] {
  return versionOf(contract.path) === 1
    ? v1CodesOf(contract).map((code) => ({ code, status: v1ErrorStatus[code] }))
    : codesOf(contract).map((code) => ({ code, status: problemStatus[code] }));
}

/** Why an error does not match its contract; null: it matches. */
function errorMismatchOf(
  { path }: Contract,
  described: readonly DescribedError[],
  { statusCode, headers, body }: HttpResponse,
): string | null {
  const expected = { ...(isAdmitted(statusCode) && admittedResponse), ...errorHeaders(statusCode) };
  const missing = Object.keys(expected).find(
    (name) => !(name.toLowerCase() in headers) && !(isEarly(statusCode) && name.startsWith('RateLimit-')),
  );
  if (missing) return `the header ${missing} is missing`;
  const isV1 = versionOf(path) === 1;
  const mediaType = isV1 ? 'application/json' : problemMediaType;
  if (headers['content-type'] !== mediaType) return `its media type is ${headers['content-type']}`;
  const error = (isV1 ? v1ErrorSchema : problemSchema).safeParse(jsonOf(body));
  if (!error.success) return error.error.message;
  const { code } = error.data;
  return described.some((one) => one.status === statusCode && one.code === code)
    ? null
    : `its contract has no ${code} with this status`;
}

/** `401` and `403` come before the request budget. */
const isAdmitted = (status: number): boolean => status !== 401 && status !== 403;

/** Errors that may come before the budget is known: the table is throttled, or authentication fails. */
const isEarly = (status: number): boolean => status === 429 || status >= 500;

/** undefined for what is not JSON. */
function jsonOf(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString());
  } catch {
    return undefined;
  }
}

/** Why a success does not match its contract; null: it matches. */
function mismatchOf(contract: Contract, response: HttpResponse): string | null {
  const described = contract.responses[response.statusCode];
  if (!described) return 'its contract has no such status';
  for (const name of Object.keys(described.headers ?? {})) {
    if (!(name.toLowerCase() in response.headers)) return `the header ${name} is missing`;
  }
  if (described.body === null) return response.body.length === 0 ? null : 'its contract has no body here';
  const body = jsonOf(response.body);
  if (body === undefined) return 'the body is not JSON';
  const result = described.body.safeParse(body);
  if (!result.success) {
    return result.error.issues
      .map(({ path, message }) => `${path.join('.') || 'body'}: ${message}`)
      .join('; ');
  }
  return isDeepStrictEqual(result.data, body) ? null : 'the body has fields that its schema does not name';
}

function mismatchResponse(detail: string): HttpResponse {
  return {
    statusCode: 500,
    headers: { 'content-type': 'application/problem+json' },
    cookies: [],
    body: Buffer.from(JSON.stringify({ title: 'Response does not match the contract', status: 500, detail })),
  };
}
