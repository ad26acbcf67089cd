/** The `Retry-After` header of a receiver's answer (RFC 9110, 10.2.3). */

/** The preferred form of an HTTP date and the obsolete one of RFC 850. Both name their zone. */
const zonedDate = /^[A-Z][a-z]{2,8}, \d\d(?: [A-Z][a-z]{2} \d{4}|-[A-Z][a-z]{2}-\d\d) \d\d:\d\d:\d\d GMT$/;
/** The obsolete form of C's asctime, which is in GMT without saying so. */
const zonelessDate = /^[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d \d{4}$/;

/**
 * Milliseconds to wait from `nowMs` on, never negative; null when the header is absent or says nothing intelligible.
 * May be infinite: the caller caps it at the deadline.
 */
export function parseRetryAfter(value: string | null, nowMs: number): number | null {
  const text = value?.trim() ?? '';
  if (/^\d+$/.test(text)) return Number(text) * 1000;
  const atMs = zonedDate.test(text)
    ? Date.parse(text)
    : zonelessDate.test(text)
      ? Date.parse(`${text} GMT`)
      : Number.NaN;
  return Number.isNaN(atMs) ? null : Math.max(0, atMs - nowMs);
}
