/** A client of the TypeScript library whose `fetch` answers by a script, and whose clock and waits take no time. */
import { Parley, type ParleyOptions } from '../../../clients/typescript/src/index.ts';

/** What a request was. */
export interface SentRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
  readonly redirect: string | undefined;
}

/** An answer, an error of `fetch`, or a function that makes one. */
export type Reply =
  | Response
  | Error
  | ((request: SentRequest, init: RequestInit) => Response | Promise<Response>);

export const apiKey = 'parley_secretsecretsecret';
export const baseUrl = 'https://api.example.com/api/v2';

/** @param replies in the order of the requests; the last one answers all further ones */
export function offlineClient(replies: readonly Reply[] = [], options: ParleyOptions = {}) {
  const requests: SentRequest[] = [];
  const waits: number[] = [];
  let keys = 0;
  const send = async (url: string, init: RequestInit): Promise<Response> => {
    const request: SentRequest = {
      method: init.method ?? 'GET',
      url,
      headers: init.headers as Record<string, string>,
      body: typeof init.body === 'string' ? JSON.parse(init.body) : init.body,
      redirect: init.redirect,
    };
    const reply = replies[Math.min(requests.length, replies.length - 1)];
    requests.push(request);
    if (reply === undefined) throw new Error('no reply');
    if (reply instanceof Error) throw reply;
    return typeof reply === 'function' ? await reply(request, init) : reply.clone();
  };
  const parley = new Parley(
    { apiKey, baseUrl, fetch: send, ...options },
    {
      now: () => 0,
      random: () => 0.5,
      wait: async (ms, signal) => {
        waits.push(ms);
        if (signal?.aborted) throw signal.reason;
      },
      uuid: async () => `key-${++keys}`,
    },
  );
  return { parley, requests, waits };
}

export function json(status: number, body: unknown, headers: Record<string, string> = {}): Response {
  return new Response(JSON.stringify(body), {
    status,
    headers: { 'content-type': 'application/json', 'x-request-id': 'req-1', ...headers },
  });
}

export function problem(
  status: number,
  code: string,
  more: object = {},
  headers: Record<string, string> = {},
): Response {
  const body = {
    type: 'about:blank',
    title: 'x',
    status,
    detail: 'A sentence.',
    code,
    request_id: 'req-1',
    ...more,
  };
  return json(status, body, { 'content-type': 'application/problem+json', ...headers });
}

/** The error that a promise rejects with. @throws Error when it does not */
export async function rejection(promise: PromiseLike<unknown>): Promise<Error & Record<string, unknown>> {
  try {
    await promise;
  } catch (error) {
    return error as Error & Record<string, unknown>;
  }
  throw new Error('it did not reject');
}
