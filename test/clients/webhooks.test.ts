/** The TypeScript library proves where a webhook comes from (docs/verifying-webhooks.md). */
import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, expectTypeOf, it } from 'vitest';
import {
  type EmailBouncedData,
  type EmailReceivedData,
  type UnknownEvent,
  verifyWebhook,
  type WebhookEvent,
} from '../../clients/typescript/src/index.ts';
import { offlineClient, rejection } from './support/offline-client.ts';

const page = readFileSync(join(import.meta.dirname, '../../docs/verifying-webhooks.md'), 'utf8');
const values = Object.fromEntries(
  [...page.matchAll(/^\| `?([\w -]+?)`? \| `(.*)` \|$/gm)].map(([, name = '', value = '']) => [name, value]),
);
const { secret = '', 'raw body': body = '' } = values;
const now = Number(values['webhook-timestamp']) * 1000;
const own = { 'parley-signature': values['Parley-Signature'] };
const standard = {
  'Webhook-ID': values['webhook-id'],
  'Webhook-Timestamp': values['webhook-timestamp'],
  'Webhook-Signature': values['webhook-signature'],
};
const event = JSON.parse(body);
const otherSecret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const reason = async (promise: Promise<unknown>) => (await rejection(promise)).reason;
const signatureOf = (text: string, given = secret, t = now / 1000) =>
  `t=${t},v1=${createHmac('sha256', given).update(`${t}.${text}`).digest('hex')}`;

describe('verifyWebhook', () => {
  it.each([
    ['our own signature', own],
    ['Standard Webhooks', standard],
    ['both', { ...own, ...standard }],
    ['Headers', new Headers(own as Record<string, string>)],
    ['pairs', Object.entries(own) as [string, string][]],
    ['lists of values, as Node has them', { 'parley-signature': [own['parley-signature'] ?? ''] }],
  ])('accepts %s', async (_, headers) => {
    expect(await verifyWebhook(body, headers as Record<string, string>, secret, { now })).toEqual(event);
  });

  it.each([
    ['a string', body],
    ['a Buffer', Buffer.from(body)],
    ['a part of a larger buffer', Buffer.from(`xx${body}yy`).subarray(2, -2)],
    ['an ArrayBuffer', new Uint8Array(Buffer.from(body)).buffer],
    ['a Request', new Request('http://x', { method: 'POST', body })],
  ])('reads %s', async (_, given) => {
    const { parley } = offlineClient();
    expect(await parley.webhooks.verify(given, own, secret, { now })).toEqual(event);
  });

  it('reads a Request with its headers', async () => {
    const request = () =>
      new Request('http://x', { method: 'POST', body, headers: own as Record<string, string> });
    expect(await verifyWebhook(request(), secret, { now })).toEqual(event);
    expect(await verifyWebhook(request(), [otherSecret, secret], { now })).toEqual(event);
  });

  it('accepts one of several secrets and one of several signatures', async () => {
    expect(await verifyWebhook(body, own, [otherSecret, secret], { now })).toEqual(event);
    const [time, right] = (own['parley-signature'] ?? '').split(',');
    const rotating = { 'parley-signature': `${time}, v1=${'0'.repeat(64)}, v0=zz, ${right}` };
    expect(await verifyWebhook(body, rotating, secret, { now })).toEqual(event);
    const several = {
      ...standard,
      'Webhook-Signature': `v1,AAAA v2,x v1,! ${standard['Webhook-Signature']}`,
    };
    expect(await verifyWebhook(body, several, secret, { now })).toEqual(event);
  });

  it('finds the header of another brand', async () => {
    const headers = { 'Acme-Signature': own['parley-signature'] };
    expect(await verifyWebhook(body, headers, secret, { now, brand: 'Acme' })).toEqual(event);
    expect(await reason(verifyWebhook(body, headers, secret, { now }))).toBe('no_signature');
  });

  it('passes an event of a type that the library does not know', async () => {
    const text = '{"id":"evt_1","type":"moon.landed","created_at":"","space_id":null,"data":{"x":1}}';
    const given = await verifyWebhook(text, { 'Parley-Signature': signatureOf(text) }, secret, { now });
    expect(given).toMatchObject({ type: 'moon.landed', data: { x: 1 } });
  });

  it.each([
    ['a changed body', `${body} `, own, secret, 'wrong_signature'],
    ['another secret', body, own, otherSecret, 'wrong_signature'],
    ['no headers', body, {}, secret, 'no_signature'],
    ['no time', body, { 'parley-signature': `v1=${'0'.repeat(64)}` }, secret, 'malformed_signature'],
    ['no signature', body, { 'parley-signature': 't=1769860801' }, secret, 'malformed_signature'],
    ['a short signature', body, { 'parley-signature': 't=1769860801,v1=43' }, secret, 'malformed_signature'],
    [
      'a time of many digits',
      body,
      { 'parley-signature': `t=${'9'.repeat(5000)},v1=00` },
      secret,
      'malformed_signature',
    ],
    ['a header that is too long', body, { 'parley-signature': 'x'.repeat(10_000) }, secret, 'no_signature'],
    [
      'Standard Webhooks without an id',
      body,
      { ...standard, 'Webhook-ID': undefined },
      secret,
      'malformed_signature',
    ],
    ['no headers', body, undefined, secret, 'no_signature'],
    ['the secret in the place of headers', body, secret, undefined, 'no_signature'],
    ['a parsed body', event, own, secret, 'invalid_body'],
    ['no body', undefined, own, secret, 'invalid_body'],
    ['no secret', body, own, undefined, 'invalid_secret'],
    ['an empty secret', body, own, '', 'invalid_secret'],
    ['no secrets', body, own, [], 'invalid_secret'],
    ['a secret without its prefix', body, own, secret.slice(6), 'invalid_secret'],
    ['a secret with a line break', body, own, `${secret}\n`, 'invalid_secret'],
  ])('refuses %s', async (_, given, headers, givenSecret, why) => {
    const promise = verifyWebhook(given as string, headers as Record<string, string>, givenSecret as string, {
      now,
    });
    const error = await rejection(promise);
    expect(error).toMatchObject({
      code: 'webhook_verification',
      name: 'WebhookVerificationError',
      reason: why,
    });
    expect(error.message).not.toContain(secret.slice(8, 20));
  });

  it('refuses what is genuine but no JSON', async () => {
    expect(
      await reason(verifyWebhook('no', { 'Parley-Signature': signatureOf('no') }, secret, { now })),
    ).toBe('invalid_body');
  });

  it('refuses a time that is more than the tolerance away, genuine or not', async () => {
    const at = (seconds: number, toleranceSeconds?: number) =>
      verifyWebhook(body, own, secret, { now: now + seconds * 1000, toleranceSeconds });
    expect(await at(300)).toEqual(event);
    expect(await reason(at(301))).toBe('too_old');
    expect(await at(-300)).toEqual(event);
    expect(await reason(at(-301))).toBe('in_the_future');
    expect(await reason(at(11, 10))).toBe('too_old');
    expect(await reason(at(0, Number.NaN))).toBe('too_old');
    expect(await reason(verifyWebhook(body, own, secret))).toBe('too_old');
    // The time is signed.
    const [, signature] = (own['parley-signature'] ?? '').split(',');
    const later = { 'parley-signature': `t=${now / 1000 + 500},${signature}` };
    expect(await reason(verifyWebhook(body, later, secret, { now: now + 500_000 }))).toBe('wrong_signature');
  });

  it('refuses a Request that is larger than any of Parley', async () => {
    const large = new Uint8Array(9 * 1024 * 1024);
    const request = new Request('http://x', {
      method: 'POST',
      body: large,
      headers: own as Record<string, string>,
    });
    expect(await rejection(verifyWebhook(request, secret, { now }))).toMatchObject({
      code: 'webhook_verification',
      reason: 'invalid_body',
    });
  });

  it('says what to do for a request whose body was read', async () => {
    const request = new Request('http://x', { method: 'POST', body, headers: own as Record<string, string> });
    await request.json();
    const error = await rejection(verifyWebhook(request, secret, { now }));
    expect(error.message).toMatch(/read before/);
  });

  it('has the type of each event', () => {
    const read = (given: WebhookEvent) => {
      switch (given.type) {
        case 'email.received':
          expectTypeOf(given.data).toEqualTypeOf<EmailReceivedData>();
          return given.data.thread_id;
        case 'email.bounced':
          expectTypeOf(given.data).toEqualTypeOf<EmailBouncedData>();
          return given.data.reason;
        default:
          return (given as UnknownEvent).type;
      }
    };
    const unknown = (given: WebhookEvent) => {
      if (given.type === 'thread.created') return given.data.subject;
      return null;
    };
    expect(read(event)).toBe('thread.created');
    expect(unknown(event)).toBe('Your order');
  });
});
