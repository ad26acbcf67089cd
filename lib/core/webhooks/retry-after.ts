/** The `Retry-After` header of a receiver's response (RFC 9110, 10.2.3). */

/** HTTP dates with a zone: the preferred form, and the obsolete one of RFC 850 (RFC 9110, 5.6.7). */
const zonedDate = /^[A-Z][a-z]{2,8}, \d\d(?: [A-Z][a-z]{2} \d{4}|-[A-Z][a-z]{2}-\d\d) \d\d:\d\d:\d\d GMT$/;
/** The obsolete asctime form, in GMT without a zone. */
const zonelessDate = /^[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d \d{4}$/;

/**
 * Milliseconds to wait from `nowMs` on; null where the header is absent or invalid, and for zero or a date that has passed:
 * these would use up all attempts within a second. May be infinite: the caller limits it to the deadline.
 */
export function parseRetryAfter(value: string | null, nowMs: number): number | null {
  const text = value?.trim() ?? '';
  if (/^\d+$/.test(text)) return positive(Number(text) * 1000);
  const atMs = zonedDate.test(text)
    ? Date.parse(text)
    : zonelessDate.test(text)
      ? Date.parse(`${text} GMT`)
      : Number.NaN;
  return positive(atMs - nowMs);
}

const positive = (waitMs: number): number | null => (waitMs > 0 ? waitMs : null);
