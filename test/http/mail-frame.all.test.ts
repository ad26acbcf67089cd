/** The time of a large frame. */
import { describe, expect, it } from 'vitest';
import { framedHtml } from '../../lib/mail/index.ts';

describe('framedHtml', () => {
  it('bounds what it reads and writes', () => {
    expect(framedHtml('"'.repeat(6_000_000)).length).toBeLessThan(5_010_000);
    expect(framedHtml('<b>"</b>'.repeat(500_000)).length).toBeLessThan(5_010_000);
  });
});
