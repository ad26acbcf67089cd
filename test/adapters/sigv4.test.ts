import { Hash } from '@smithy/core/serde';
import { HttpRequest } from '@smithy/core/transport';
import { SignatureV4 } from '@smithy/signature-v4';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createSigner } from '../../lib/adapters/sigv4.ts';

const region = 'eu-central-1';
const credentials = fc.record(
  {
    accessKeyId: fc.string({ minLength: 1 }),
    secretAccessKey: fc.string({ minLength: 1 }),
    sessionToken: fc.base64String({ minLength: 4 }),
  },
  { requiredKeys: ['accessKeyId', 'secretAccessKey'] },
);
/** Values with the spaces that are folded. */
const headerValue = fc.string({ unit: fc.constantFrom('a', 'B', '7', ';', '/', ' ', '=') });
const request = fc.record(
  {
    method: fc.constantFrom('GET', 'POST', 'PUT', 'HEAD'),
    path: fc.constantFrom('/', '/v2/email/account', '/bucket/a%20b/c'),
    query: fc.dictionary(fc.string({ minLength: 1 }), fc.string(), { maxKeys: 3, noNullPrototype: true }),
    headers: fc
      .record({ 'content-type': headerValue, 'x-amz-target': headerValue, range: headerValue })
      .map((headers) => ({ host: 'host.example', ...headers })),
    body: fc.oneof(fc.string(), fc.string({ unit: 'grapheme' }), fc.uint8Array()),
  },
  { requiredKeys: ['method', 'path', 'headers'] },
);
const times = fc.date({ min: new Date('2026-01-01'), max: new Date('2030-01-01'), noInvalidDate: true });

describe('createSigner', () => {
  it.each(['s3', 'dynamodb'])('signs as the SDK does: %s', async (service) => {
    const signer = createSigner(service, region);
    await fc.assert(
      fc.asyncProperty(request, credentials, times, async (unsigned, identity, at) => {
        const sdk = new SignatureV4({
          service,
          region,
          credentials: identity,
          sha256: Hash.bind(null, 'sha256'),
          // Paths are not escaped twice; those of other services have nothing to escape.
          uriEscapePath: false,
        });
        const { headers } = await sdk.sign(
          new HttpRequest({ protocol: 'https:', hostname: 'host.example', ...unsigned }),
          { signingDate: at },
        );
        expect(signer.sign(unsigned, identity, at.getTime())).toEqual(headers);
      }),
    );
  });

  it('signs with a new key when the credentials change', () => {
    const signer = createSigner('sqs', region);
    const unsigned = { method: 'POST', path: '/', headers: { host: 'host.example' } };
    const sign = (secretAccessKey: string) =>
      signer.sign(unsigned, { accessKeyId: 'id', secretAccessKey }, 0).authorization;
    const first = sign('one');
    expect(sign('two')).not.toBe(first);
    expect(sign('one')).toBe(first);
  });
});
