/** Signatures of webhooks. */
import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import {
  endpointSecretOf,
  signBody,
  verifySignature,
  webhookHeaders,
} from '../../../lib/core/webhooks/signature.ts';

const body = '{"id":"evt_1"}';
const atSeconds = 1_700_000_000;
const current = endpointSecretOf(Buffer.alloc(32, 1));
const previous = endpointSecretOf(Buffer.alloc(32, 2));
const other = endpointSecretOf(Buffer.alloc(32, 3));

describe('signBody', () => {
  it('is HMAC-SHA256 of "<t>.<body>" under the whole secret, in hex', () => {
    expect(signBody({ body, secrets: ['whsec_key'], atSeconds })).toBe(
      't=1700000000,v1=14f4c3e6f2baa28521b3e7295196e62a90cc8b534514e51f2445535629f88c81',
    );
  });

  it('has one v1 for each secret during a rotation', () => {
    const header = signBody({ body, secrets: ['whsec_new', 'whsec_old'], atSeconds });
    expect(header.match(/v1=[0-9a-f]{64}/g)).toHaveLength(2);
    for (const secret of ['whsec_new', 'whsec_old'])
      expect(verifySignature({ header, body, secret, nowSeconds: atSeconds })).toBe(true);
  });
});

describe('verifySignature', () => {
  const header = signBody({ body, secrets: ['whsec_key'], atSeconds });
  const check = (changes: Partial<Parameters<typeof verifySignature>[0]>) =>
    verifySignature({ header, body, secret: 'whsec_key', nowSeconds: atSeconds, ...changes });

  it('refuses a changed body, another secret and another time', () => {
    expect(check({})).toBe(true);
    expect(check({ body: `${body} ` })).toBe(false);
    expect(check({ secret: 'whsec_other' })).toBe(false);
    expect(check({ header: header.replace('t=1700000000', 't=1700000001') })).toBe(false);
  });

  it('refuses a signature older or newer than the tolerance', () => {
    expect(check({ nowSeconds: atSeconds + 300 })).toBe(true);
    expect(check({ nowSeconds: atSeconds + 301 })).toBe(false);
    expect(check({ nowSeconds: atSeconds - 301 })).toBe(false);
  });

  it('is false, without throwing, when the header is malformed', () => {
    for (const odd of ['', 't=,v1=', 'v1=00', 't=1700000000', 't=1700000000,v1=é', 't=x,v1=00'])
      expect(check({ header: odd })).toBe(false);
  });

  it('ignores unknown schemes', () => {
    expect(check({ header: `${header},v2=whatever` })).toBe(true);
  });
});

describe('webhookHeaders', () => {
  const request = { eventId: 'evt_1', body, secrets: [current], atSeconds };

  it('names our own headers after the brand', () => {
    expect(webhookHeaders('Acme', request)).toEqual({
      'Content-Type': 'application/json',
      'Acme-Signature': signBody(request),
      'Acme-Event-ID': 'evt_1',
      'User-Agent': 'acme-webhooks/1',
      'webhook-id': 'evt_1',
      'webhook-timestamp': '1700000000',
      'webhook-signature': expect.stringMatching(/^v1,[A-Za-z0-9+/]{43}=$/),
    });
  });

  it('is verified by the Standard Webhooks library with each secret of a rotation', () => {
    const at = Math.floor(Date.now() / 1000);
    const headers = webhookHeaders('Acme', { ...request, secrets: [current, previous], atSeconds: at });
    expect(headers['webhook-signature']?.split(' ')).toHaveLength(2);
    for (const secret of [current, previous]) {
      expect(new Webhook(secret).verify(body, headers)).toEqual({ id: 'evt_1' });
    }
    expect(() => new Webhook(other).verify(body, headers)).toThrow('No matching signature');
    expect(() => new Webhook(current).verify(`${body} `, headers)).toThrow('No matching signature');
  });

  it.each(['hunter2', 'whsec_key', `whsec_${'A'.repeat(44)}`, `whsec_${'+'.repeat(43)}`])(
    'leaves the standard headers out when no secret encodes 32 bytes (%s)',
    (secret) => {
      const headers = webhookHeaders('Acme', { ...request, secrets: [secret] });
      expect(Object.keys(headers).filter((name) => name.startsWith('webhook-'))).toEqual([]);
      expect(headers['Acme-Signature']).toMatch(/^t=1700000000,v1=[0-9a-f]{64}$/);
    },
  );
});

describe('endpointSecretOf', () => {
  it('is whsec_ and 32 bytes in padded base64', () => {
    expect(endpointSecretOf(Buffer.alloc(32, 0xff))).toBe(`whsec_${'/'.repeat(42)}8=`);
  });
});
