/** Secrets of the operator in Secrets Manager, signed by the SDK's signer and sent with fetch, as objects are (docs/decisions/0024-s3-without-the-sdk-client.md). */
import { Hash } from '@smithy/core/serde';
import { SignatureV4 } from '@smithy/signature-v4';
import { timeouts } from './aws-clients.ts';
import { now, pause } from './clock.ts';
import { defaultProvider } from './environment-credentials.ts';
import { random } from './random.ts';

/** Secrets Manager has refused a request: another attempt is useless. */
class Refused extends Error {}

const attemptsMax = 3;

/** The text of a secret, at most 64 KB ("AWS Secrets Manager quotas"). @throws Error without its text */
export async function readSecret(arn: string): Promise<string> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await attemptRead(arn);
    } catch (error) {
      if (error instanceof Refused || attempt === attemptsMax) throw error;
      await pause(random() * 50 * 2 ** attempt);
    }
  }
}

async function attemptRead(arn: string): Promise<string> {
  const region = arn.split(':')[3] ?? '';
  const endpoint = process.env.AWS_ENDPOINT_URL;
  const url = new URL(endpoint ?? `https://secretsmanager.${region}.amazonaws.com`);
  const body = JSON.stringify({ SecretId: arn });
  const signer = new SignatureV4({
    service: 'secretsmanager',
    region,
    credentials: defaultProvider(),
    sha256: Hash.bind(null, 'sha256'),
  });
  const request = {
    method: 'POST',
    protocol: url.protocol,
    hostname: url.hostname,
    ...(url.port && { port: Number(url.port) }),
    path: '/',
    query: {},
    headers: {
      host: url.host,
      'content-type': 'application/x-amz-json-1.1',
      'x-amz-target': 'secretsmanager.GetSecretValue',
    },
    body,
  };
  const { headers } = await signer.sign(request, { signingDate: new Date(now()) });
  const signal = AbortSignal.timeout(timeouts().requestMs);
  const response = await fetch(url, { method: 'POST', headers, body, signal });
  const answer = Object(await response.json());
  if (response.ok && typeof answer.SecretString === 'string') return answer.SecretString;
  // `ResourceNotFoundException`, `AccessDeniedException` …
  const message = `Secrets Manager answered ${response.status} (${String(answer.__type).slice(0, 100)})`;
  throw response.status < 500 ? new Refused(message) : new Error(message);
}
