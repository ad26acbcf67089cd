/** Requests to operations, right and wrong, through the local cloud or to the handlers in this thread; and their errors. */
import { expect } from 'vitest';
import type { ProblemCode } from '../../lib/core/problems.ts';
import { problemMediaType, problemSchema } from '../../lib/http/problem-body.ts';
import { v1ErrorSchema } from '../../lib/http/v1-error.ts';
import { versionOf } from '../../lib/http/versions.ts';
import { requestInProcess } from './api-in-process.ts';
import { cloud } from './cloud.ts';
import { errorAt } from './errors.ts';

export interface Sending {
  /** null: no Authorization header. */
  readonly key?: string | null;
  readonly headers?: Record<string, string>;
  readonly query?: Record<string, string>;
  /** A string is sent verbatim, any other value as JSON. */
  readonly body?: unknown;
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

export type Send = (method: string, path: string, sending?: Sending) => Promise<Answer>;

/** Through the local cloud. */
export const send: Send = async (method, path, sending) => {
  const { url, headers, body } = requestOf(path, sending);
  const init = { method, redirect: 'manual', headers, ...(body && { body: new Uint8Array(body) }) } as const;
  const response = await fetch(url, init);
  return { status: response.status, headers: response.headers, text: await response.text() };
};

/** To the handlers in this thread. */
export const sendInProcess: Send = async (method, path, sending) => {
  const { statusCode, headers, body } = await requestInProcess({ method, ...requestOf(path, sending) });
  return { status: statusCode, headers: new Headers(headers), text: body.toString() };
};

function requestOf(path: string, { key = null, headers, query, body }: Sending = {}) {
  const url = new URL(path, cloud().baseUrl);
  url.search = new URLSearchParams(query).toString();
  return {
    url,
    headers: {
      ...(key !== null && { authorization: `Bearer ${key}` }),
      ...(body !== undefined && typeof body !== 'string' && { 'content-type': 'application/json' }),
      ...headers,
    },
    // A Buffer: for a string, fetch adds a Content-Type.
    ...(body !== undefined && { body: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)) }),
  };
}

export interface Asked {
  readonly method: string;
  readonly path: string;
}

/** Expects a complete error response of the version and returns its issues; responses to HEAD have no body. */
export function expectProblem(response: Answer, code: ProblemCode, { method, path }: Asked) {
  const expected = errorAt(path, code);
  expect(response.status).toBe(expected.status);
  expect(response.headers.get('cache-control')).toBe('private, no-store');
  const isV1 = versionOf(path) === 1;
  expect(response.headers.get('content-type')).toBe(isV1 ? 'application/json' : problemMediaType);
  if (method === 'HEAD') return [];
  if (isV1) {
    const { message, issues, ...rest } = v1ErrorSchema.parse(JSON.parse(response.text));
    expect(rest).toEqual({ code: expected.code });
    expect(message).not.toBe('');
    return issues;
  }
  const problem = problemSchema.parse(JSON.parse(response.text));
  expect(problem).toMatchObject({
    code,
    status: response.status,
    type: expect.stringMatching(new RegExp(`^https?://.+/problems/${code}$`)),
    request_id: response.headers.get('x-request-id'),
  });
  expect(problem.detail).not.toBe('');
  return problem.issues ?? [];
}
