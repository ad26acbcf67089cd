/** Requests that are repeated as the client library repeats them: a busy machine answers some of them with 429 or 503. */
import { setTimeout as wait } from 'node:timers/promises';
import { ParleyError } from '../../clients/typescript/src/errors.ts';
import { fateOfAnswer, waitMs } from '../../clients/typescript/src/retry.ts';
import { type Api, type ApiRequest, type ApiResponse, clientWith } from '../../test/support/api.ts';

const retriesMax = 3;

/** A client whose calls are repeated where they were refused for now, or may be made twice. */
export function retrying(client: Api): Api {
  async function request<T>(method: string, path: string, given: ApiRequest = {}): Promise<ApiResponse<T>> {
    const isRepeatable = method !== 'POST' || given.headers?.['idempotency-key'] !== undefined;
    for (let attempt = 1; ; attempt += 1) {
      const answer = await client.request<T>(method, path, given);
      const ms = attempt > retriesMax ? null : waitAfter(answer, isRepeatable, attempt);
      if (ms === null) return answer;
      await wait(ms);
    }
  }

  return clientWith(request);
}

/** Milliseconds before the next attempt; null: none. */
function waitAfter(
  { status, headers, body }: ApiResponse<unknown>,
  isRepeatable: boolean,
  attempt: number,
): number | null {
  if (status < 400) return null;
  const code = (body as { code?: string } | null)?.code ?? '';
  const fate = fateOfAnswer(new ParleyError(code, { status, detail: '' }), false);
  if (fate === 'final' || (fate === 'unknown' && !isRepeatable)) return null;
  const retryAfter = Number(headers['retry-after']);
  return waitMs(attempt, retryAfter || null, Math.random());
}
