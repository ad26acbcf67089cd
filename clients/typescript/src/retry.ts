/** When an attempt is repeated, and after which wait. Pure. */
import type { ParleyError } from './errors.ts';

/**
 * What became of a request that failed: `refused`, it was certainly not carried out; `unknown`, it may have been; `final`, a
 * repetition would fail in the same way.
 */
export type Fate = 'refused' | 'unknown' | 'final';

/** Outcomes of an email, which the API answers once: a repetition would answer the email (docs/concepts/errors.md). */
const outcomes = ['rate_limited', 'send_failed', 'provider_error'];

/** The fate of a request by its answer. @param wasCut the answer is an incomplete JSON */
export function fateOfAnswer(error: ParleyError, wasCut: boolean): Fate {
  const { status, code } = error;
  if (outcomes.includes(code)) return 'final';
  if (status === 429) return 'refused';
  if (status !== null && status >= 500) return 'unknown';
  return wasCut ? 'unknown' : 'final';
}

/** Codes of Node and Bun for a connection that was never made. */
const neverConnected = [
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
  'ConnectionRefused',
];

/** The fate of a request without an answer. */
export function fateOfLoss(cause: unknown): Fate {
  const { code, cause: inner } = (cause ?? {}) as { code?: unknown; cause?: { code?: unknown } };
  return [code, inner?.code].some((one) => neverConnected.includes(String(one))) ? 'refused' : 'unknown';
}

const firstWaitMs = 500;
const longestWaitMs = 8_000;
/** A longer `Retry-After` is for the program to decide. */
export const retryAfterSecondsMax = 60;

/**
 * Milliseconds until the next attempt: 0.5, 1, 2, 4, 8 s with a jitter of half of it, and never before `Retry-After`.
 *
 * @param attempt 1 for the first one
 * @param random 0 to 1
 * @returns null: give up
 */
export function waitMs(attempt: number, retryAfter: number | null, random: number): number | null {
  if (retryAfter !== null && retryAfter > retryAfterSecondsMax) return null;
  const backoff = Math.min(longestWaitMs, firstWaitMs * 2 ** (attempt - 1));
  const jittered = backoff * (0.5 + random / 2);
  // All clients of a workspace are told the same time: they come back spread over the backoff.
  return Math.round(retryAfter === null ? jittered : retryAfter * 1000 + (jittered - backoff / 2));
}
