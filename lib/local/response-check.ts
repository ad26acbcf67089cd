/** Checks every successful API response against its contract. */
import { isDeepStrictEqual } from 'node:util';
import type { Contract } from '../http/contract.ts';
import type { Route } from './api.ts';
import type { HttpResponse } from './http-server.ts';

/**
 * A `reviewResponse` for `handleRequest`: replaces a success that its contract does not describe by a 500 with the reason.
 */
export function responseCheck(
  contracts: readonly Contract[],
): (route: Route, response: HttpResponse) => HttpResponse {
  const byRoute = new Map(contracts.map((contract) => [`${contract.method} ${contract.path}`, contract]));
  return (route, response) => {
    const contract = byRoute.get(`${route.method} ${route.path}`);
    if (!contract || response.statusCode >= 400) return response;
    const mismatch = mismatchOf(contract, response);
    return mismatch === null
      ? response
      : mismatchResponse(`${contract.id} returned ${response.statusCode}: ${mismatch}`);
  };
}

/** Why a response does not match its contract; null: it matches. */
function mismatchOf(contract: Contract, response: HttpResponse): string | null {
  const described = contract.responses[response.statusCode];
  if (!described) return 'its contract has no such status';
  for (const name of Object.keys(described.headers ?? {})) {
    if (!(name.toLowerCase() in response.headers)) return `the header ${name} is missing`;
  }
  if (described.body === null) return response.body.length === 0 ? null : 'its contract has no body here';
  let body: unknown;
  try {
    body = JSON.parse(response.body.toString());
  } catch {
    return 'the body is not JSON';
  }
  const result = described.body.safeParse(body);
  if (!result.success) {
    return result.error.issues
      .map(({ path, message }) => `${path.join('.') || 'body'}: ${message}`)
      .join('; ');
  }
  return isDeepStrictEqual(result.data, body) ? null : 'the body has fields that its schema does not name';
}

function mismatchResponse(detail: string): HttpResponse {
  console.error(detail);
  return {
    statusCode: 500,
    headers: { 'content-type': 'application/problem+json' },
    cookies: [],
    body: Buffer.from(JSON.stringify({ title: 'Response does not match the contract', status: 500, detail })),
  };
}
