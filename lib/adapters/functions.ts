/** Calls of other functions of the deployment. */
import { type SignedPost, signPost } from './signed-post.ts';

/** As long as the gateway waits for a function ("Quotas for configuring and running an HTTP API"). */
const answerMsMax = 29_000;

/**
 * The answer of a function, in one attempt: the caller knows what may be repeated. `throttled`: it was not run; `failed`: it
 * ended without an answer ("Invoke", AWS Lambda API Reference).
 *
 * @throws Error where Lambda cannot be reached or refuses the call
 */
export async function invokeFunction(name: string, event: object, signal?: AbortSignal): Promise<unknown> {
  const body = JSON.stringify(event);
  const { url, headers } = await signed(name, body);
  const limit = AbortSignal.timeout(answerMsMax);
  const response = await fetch(url, {
    method: 'POST',
    headers,
    body,
    signal: signal ? AbortSignal.any([signal, limit]) : limit,
  });
  if (response.status === 429) return 'throttled';
  const answer: unknown = await response.json();
  if (!response.ok)
    throw new Error(`Lambda answered ${response.status} (${response.headers.get('x-amzn-errortype')})`);
  return response.headers.has('x-amz-function-error') ? 'failed' : answer;
}

async function signed(name: string, body: string): Promise<SignedPost> {
  const { url, headers } = await signPost({
    service: 'lambda',
    region: process.env.AWS_REGION ?? '',
    path: `/2015-03-31/functions/${name}/invocations`,
    headers: { 'content-type': 'application/json' },
    body,
  });
  // Continues the chain of requests, as the SDK does ("Use Lambda recursive loop detection to prevent infinite loops").
  const trace = process.env._X_AMZN_TRACE_ID;
  return { url, headers: { ...headers, ...(trace && { 'x-amzn-trace-id': trace }) } };
}

/** A request to the file store by a signed link, which carries no key. */
export async function fetchFile(url: string, init: RequestInit): Promise<Response> {
  return await fetch(url, init);
}
