/** Secrets of the operator in Secrets Manager. */
import { timeouts } from './aws-clients.ts';
import { pause } from './clock.ts';
import { random } from './random.ts';
import { signPost } from './signed-post.ts';

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
  const body = JSON.stringify({ SecretId: arn });
  const { url, headers } = await signPost({
    service: 'secretsmanager',
    region,
    path: '/',
    headers: {
      'content-type': 'application/x-amz-json-1.1',
      'x-amz-target': 'secretsmanager.GetSecretValue',
    },
    body,
  });
  const signal = AbortSignal.timeout(timeouts().requestMs);
  const response = await fetch(url, { method: 'POST', headers, body, signal });
  const answer = Object(await response.json());
  if (response.ok && typeof answer.SecretString === 'string') return answer.SecretString;
  // `ResourceNotFoundException`, `AccessDeniedException` …
  const message = `Secrets Manager answered ${response.status} (${String(answer.__type).slice(0, 100)})`;
  throw response.status < 500 ? new Refused(message) : new Error(message);
}
