/** Posts an event to an address as a webhook: the same body, headers and signatures. */

import { webhookHeaders } from '../../../../lib/core/webhooks/signature.ts';
import type { Event } from '../../../typescript/src/index.ts';

export interface Attempt {
  /** null: no answer. */
  readonly status: number | null;
  /** Why there is no answer, for people. */
  readonly error: string | null;
  readonly durationMs: number;
}

export interface PostTarget {
  readonly url: string;
  readonly secret: string;
  readonly brand: string;
}

/** As long as a deployment waits (docs/concepts/webhooks.md#attempts-and-retries). */
export const timeoutMs = 10_000;

export const isDelivered = ({ status }: Attempt): boolean => status !== null && status >= 200 && status < 300;

/** One attempt. It is never cut short: whoever stops would not know whether it arrived. */
export async function postEvent(event: Event, { url, secret, brand }: PostTarget): Promise<Attempt> {
  const body = JSON.stringify(event);
  const atSeconds = Math.floor(Date.now() / 1000);
  const headers = webhookHeaders(brand, { eventId: event.id, body, secrets: [secret], atSeconds });
  const begunAt = performance.now();
  const durationMs = () => Math.round(performance.now() - begunAt);
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers,
      body,
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
    });
    const { status } = response;
    await response.body?.cancel().catch(() => {});
    return { status, error: null, durationMs: durationMs() };
  } catch (error) {
    return { status: null, error: wordsOf(error), durationMs: durationMs() };
  }
}

function wordsOf(error: unknown): string {
  const { name, message, cause } = error as Error & { cause?: { code?: string; message?: string } };
  if (name === 'TimeoutError') return `no answer within ${timeoutMs / 1000} s`;
  if (cause?.code === 'ECONNREFUSED') return 'nothing listens there';
  return cause?.message || cause?.code || message;
}

/** Waits between the attempts: a server that restarts is back after some of them. */
export const retryWaitsMs = [1000, 3000, 8000] as const;

/**
 * Posts until it succeeds, or the attempts are used up.
 *
 * @param ports.wait rejects to stop before the next attempt
 * @param ports.onAttempt called after each one; `retryInMs` null: it is the last
 * @returns whether it is delivered
 */
export async function postUntilDelivered(
  event: Event,
  target: PostTarget,
  ports: {
    readonly wait: (ms: number) => Promise<void>;
    readonly onAttempt: (attempt: Attempt, retryInMs: number | null) => void;
  },
): Promise<boolean> {
  for (const retryInMs of [...retryWaitsMs, null]) {
    const attempt = await postEvent(event, target);
    const isDone = isDelivered(attempt);
    ports.onAttempt(attempt, isDone ? null : retryInMs);
    if (isDone) return true;
    if (retryInMs === null) return false;
    await ports.wait(retryInMs);
  }
  return false;
}
