/** Calls of other functions of the deployment, signed by the SDK's signer and sent with fetch, as those of objects are (docs/decisions/0024-s3-without-the-sdk-client.md). */
import { Hash } from '@smithy/core/serde';
import { SignatureV4 } from '@smithy/signature-v4';
import { now } from './clock.ts';
import { defaultProvider } from './environment-credentials.ts';

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

async function signed(name: string, body: string): Promise<{ url: URL; headers: Record<string, string> }> {
  const region = process.env.AWS_REGION ?? '';
  const path = `/2015-03-31/functions/${name}/invocations`;
  const url = new URL(path, process.env.AWS_ENDPOINT_URL ?? `https://lambda.${region}.amazonaws.com`);
  const signer = new SignatureV4({
    service: 'lambda',
    region,
    credentials: defaultProvider(),
    sha256: Hash.bind(null, 'sha256'),
  });
  const request = {
    method: 'POST',
    protocol: url.protocol,
    hostname: url.hostname,
    ...(url.port && { port: Number(url.port) }),
    path,
    query: {},
    headers: { host: url.host, 'content-type': 'application/json' },
    body,
  };
  const { headers } = await signer.sign(request, { signingDate: new Date(now()) });
  // Continues the chain of requests, as the SDK does ("Use Lambda recursive loop detection to prevent infinite loops").
  const trace = process.env._X_AMZN_TRACE_ID;
  return { url, headers: { ...headers, ...(trace && { 'x-amzn-trace-id': trace }) } };
}

/** A request to the file store by a signed link, which carries no key. */
export async function fetchFile(url: string, init: RequestInit): Promise<Response> {
  return await fetch(url, init);
}
