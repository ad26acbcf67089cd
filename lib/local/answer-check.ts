/** Holds every success of the API against its contract, so that no operation answers what its schema does not say. */
import { isDeepStrictEqual } from 'node:util';
import type { Contract } from '../http/contract.ts';
import type { Route } from './api.ts';
import type { HttpResponse } from './http-server.ts';

/**
 * A review for `answerRequest`: a success that the contract does not describe becomes a 500 that says what is wrong.
 */
export function answerCheck(
  contracts: readonly Contract[],
): (route: Route, answer: HttpResponse) => HttpResponse {
  const byRoute = new Map(contracts.map((contract) => [`${contract.method} ${contract.path}`, contract]));
  return (route, answer) => {
    const contract = byRoute.get(`${route.method} ${route.path}`);
    if (!contract || answer.statusCode >= 400) return answer;
    const fault = faultOf(contract, answer);
    return fault === null ? answer : loud(`${contract.id} answered ${answer.statusCode}: ${fault}`);
  };
}

/** What is wrong with the answer; null: nothing. */
function faultOf(contract: Contract, answer: HttpResponse): string | null {
  const described = contract.responses[answer.statusCode];
  if (!described) return 'its contract has no such status';
  for (const name of Object.keys(described.headers ?? {})) {
    if (!(name.toLowerCase() in answer.headers)) return `the header ${name} is missing`;
  }
  if (described.body === null) return answer.body.length === 0 ? null : 'its contract has no body here';
  let body: unknown;
  try {
    body = JSON.parse(answer.body.toString());
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

function loud(detail: string): HttpResponse {
  console.error(detail);
  return {
    statusCode: 500,
    headers: { 'content-type': 'application/problem+json' },
    cookies: [],
    body: Buffer.from(JSON.stringify({ title: 'Answer against the contract', status: 500, detail })),
  };
}
