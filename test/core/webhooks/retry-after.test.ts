/** Retry-After in each of its forms. */
import { describe, expect, it } from 'vitest';
import { parseRetryAfter } from '../../../lib/core/webhooks/retry-after.ts';

const nowMs = Date.UTC(1994, 10, 6, 8, 49, 7);

describe('parseRetryAfter', () => {
  it('reads seconds', () => {
    expect(parseRetryAfter('120', nowMs)).toBe(120_000);
    expect(parseRetryAfter(' 1 ', nowMs)).toBe(1000);
    expect(parseRetryAfter('9'.repeat(400), nowMs)).toBe(Number.POSITIVE_INFINITY);
  });

  it.each(['Sun, 06 Nov 1994 08:49:37 GMT', 'Sunday, 06-Nov-94 08:49:37 GMT', 'Sun Nov  6 08:49:37 1994'])(
    'reads the HTTP date %s',
    (text) => {
      expect(parseRetryAfter(text, nowMs)).toBe(30_000);
    },
  );

  it.each(['0', ' 0 ', '000', 'Sun, 06 Nov 1994 08:49:00 GMT', 'Sun, 06 Nov 1994 08:49:07 GMT'])(
    'is null when %j asks for no wait',
    (text) => {
      expect(parseRetryAfter(text, nowMs)).toBeNull();
    },
  );

  it.each([null, '', 'soon', '-5', '1.5', '1e3', '0x10', '2024-01-01', 'Sun, 06 Nov 1994 08:49:37 CET'])(
    'is null when the value is %s',
    (text) => {
      expect(parseRetryAfter(text, nowMs)).toBeNull();
    },
  );
});
