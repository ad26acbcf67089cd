/** Webhooks of format v1: names and signature. */
import { describe, expect, it } from 'vitest';
import { eventTypeTable } from '../../../lib/core/webhooks/event-types.ts';
import { v1EventNameAt, v1EventTypes, v1Headers } from '../../../lib/core/webhooks/v1-format.ts';

describe('v1EventTypes', () => {
  it('are the seven types that the format has', () => {
    expect(v1EventTypes.map((type) => eventTypeTable[type].v1Name)).toEqual([
      'inbound.email.received',
      'outbound.email.delivered',
      'outbound.email.bounced',
      'outbound.email.complained',
      'outbound.email.rejected',
      'outbound.email.opened',
      'outbound.email.link_clicked',
    ]);
  });
});

describe('v1EventNameAt', () => {
  it('names clicks as the endpoint has them, and every other event as always', () => {
    expect(v1EventNameAt('email.clicked', { clickEvent: 'link_clicked' })).toBe(
      'outbound.email.link_clicked',
    );
    expect(v1EventNameAt('email.clicked', { clickEvent: 'clicked' })).toBe('outbound.email.clicked');
    for (const type of v1EventTypes.filter((one) => one !== 'email.clicked')) {
      expect(v1EventNameAt(type, { clickEvent: 'clicked' })).toBe(eventTypeTable[type].v1Name);
    }
  });
});

describe('v1Headers', () => {
  const request = { body: '{"event":"x"}', atSeconds: 1_700_000_000 };

  it('signs "<timestamp>.<body>" with the secret as it is', () => {
    expect(v1Headers('Acme', { ...request, secret: 'chosen by the customer' })).toEqual({
      'Content-Type': 'application/json',
      'User-Agent': 'acme-webhooks/1',
      'X-Acme-Timestamp': '1700000000',
      // printf '%s' '1700000000.{"event":"x"}' | openssl dgst -sha256 -hmac 'chosen by the customer'
      'X-Acme-Signature': 'sha256=830c9aaf388ef80d59811d18d172102b38a37c7c308e73cf22f398f331fb3447',
    });
  });

  it('has no signature when the endpoint has no secret', () => {
    expect(v1Headers('Acme', { ...request, secret: null })).toEqual({
      'Content-Type': 'application/json',
      'User-Agent': 'acme-webhooks/1',
    });
  });
});
