import {
  CreateEmailIdentityCommand,
  DeleteEmailIdentityCommand,
  GetAccountCommand,
  GetEmailIdentityCommand,
  PutEmailIdentityConfigurationSetAttributesCommand,
  PutEmailIdentityDkimAttributesCommand,
  PutEmailIdentityDkimSigningAttributesCommand,
  PutEmailIdentityMailFromAttributesCommand,
} from '@aws-sdk/client-sesv2';
import { afterEach, describe, expect, it } from 'vitest';
import type { Journal } from '../../../lib/local/journal.ts';
import { journalFile } from '../../support/journal.ts';
import { createKit, dkimKey, home, startSdk, startsAt } from './kit.ts';

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  await Promise.all(closing.splice(0).map((close) => close()));
});

async function setUp({
  managementCallsPerSecond = Number.POSITIVE_INFINITY,
  journal = null,
}: {
  managementCallsPerSecond?: number;
  journal?: Journal | null;
} = {}) {
  const kit = createKit({ limits: { managementCallsPerSecond }, journal });
  const { client, close } = await startSdk(kit.ses);
  closing.push(close);
  return { ...kit, client };
}

const key = dkimKey();
const create = (selector = 'par1', privateKey = key.pkcs8) =>
  new CreateEmailIdentityCommand({
    EmailIdentity: 'mail.example.test',
    DkimSigningAttributes: { DomainSigningSelector: selector, DomainSigningPrivateKey: privateKey },
  });
const get = new GetEmailIdentityCommand({ EmailIdentity: 'mail.example.test' });
const publishedKey = { type: 'TXT', name: 'par1._domainkey.mail.example.test', value: key.record } as const;

describe('a bring-your-own-DKIM identity', () => {
  it('is verified while the public key is published', async () => {
    const { client, zone } = await setUp();
    const created = await client.send(create());
    expect(created).toMatchObject({
      IdentityType: 'DOMAIN',
      VerifiedForSendingStatus: false,
      DkimAttributes: { Status: 'PENDING', Tokens: ['par1'], SigningAttributesOrigin: 'EXTERNAL' },
    });

    zone.publish({ ...publishedKey, value: dkimKey().record });
    expect(await client.send(get)).toMatchObject({
      VerifiedForSendingStatus: false,
      VerificationInfo: { ErrorType: 'INVALID_VALUE' },
    });

    zone.publish(publishedKey);
    expect(await client.send(get)).toMatchObject({
      VerifiedForSendingStatus: true,
      VerificationStatus: 'SUCCESS',
      DkimAttributes: { Status: 'SUCCESS', SigningEnabled: true },
      VerificationInfo: { LastSuccessTimestamp: new Date(startsAt) },
    });

    zone.remove({ name: publishedKey.name });
    expect(await client.send(get)).toMatchObject({
      VerifiedForSendingStatus: false,
      VerificationInfo: { ErrorType: 'TYPE_NOT_FOUND' },
    });
  });

  it('keeps its status while DNS does not answer', async () => {
    const { client, zone, faults } = await setUp();
    zone.publish(publishedKey);
    await client.send(create());
    faults.set(publishedKey.name, 'SERVFAIL');
    expect(await client.send(get)).toMatchObject({
      VerifiedForSendingStatus: true,
      DkimAttributes: { Status: 'TEMPORARY_FAILURE' },
      VerificationInfo: { ErrorType: 'DNS_SERVER_ERROR' },
    });
  });

  it('accepts both key formats and needs a new record for a new key', async () => {
    const { client, zone } = await setUp();
    zone.publish(publishedKey);
    expect(await client.send(create('par1', key.pkcs1))).toMatchObject({ VerifiedForSendingStatus: true });

    const next = dkimKey(1024);
    const changed = await client.send(
      new PutEmailIdentityDkimSigningAttributesCommand({
        EmailIdentity: 'mail.example.test',
        SigningAttributesOrigin: 'EXTERNAL',
        SigningAttributes: { DomainSigningSelector: 'par2', DomainSigningPrivateKey: next.pkcs8 },
      }),
    );
    expect(changed).toMatchObject({ DkimStatus: 'PENDING', DkimTokens: ['par2'] });

    zone.publish({ type: 'TXT', name: 'par2._domainkey.mail.example.test', value: next.record });
    expect(await client.send(get)).toMatchObject({ VerifiedForSendingStatus: true });
  });

  it('survives a restart', async () => {
    const { open } = journalFile();
    const { client, zone } = await setUp({ journal: open() });
    zone.publish(publishedKey);
    await client.send(create());
    const next = await setUp({ journal: open() });
    next.zone.publish(publishedKey);
    expect(await next.client.send(get)).toMatchObject({ VerifiedForSendingStatus: true });
  });

  it.each([
    ['a key that is none', 'par1', 'bm90IGEga2V5'],
    ['a selector that is no label', 'par 1', key.pkcs8],
  ])('is rejected with %s', async (_what, selector, privateKey) => {
    const { client } = await setUp();
    await expect(client.send(create(selector, privateKey))).rejects.toMatchObject({
      name: 'BadRequestException',
    });
  });
});

describe('management calls', () => {
  it('reject duplicate and unknown identities', async () => {
    const { client } = await setUp();
    await client.send(create());
    await expect(client.send(create())).rejects.toMatchObject({ name: 'AlreadyExistsException' });
    await client.send(new DeleteEmailIdentityCommand({ EmailIdentity: 'mail.example.test' }));
    await expect(client.send(get)).rejects.toMatchObject({
      name: 'NotFoundException',
      message: 'Email identity mail.example.test does not exist.',
    });
  });

  it('set the MAIL FROM domain, which needs exactly one MX record', async () => {
    const { client, zone } = await setUp();
    await client.send(create());
    const put = (MailFromDomain: string) =>
      client.send(
        new PutEmailIdentityMailFromAttributesCommand({ EmailIdentity: 'mail.example.test', MailFromDomain }),
      );
    await expect(put('bounces.other.test')).rejects.toMatchObject({ name: 'BadRequestException' });
    await put('bounces.mail.example.test');
    const status = async () => (await client.send(get)).MailFromAttributes?.MailFromDomainStatus;
    expect(await status()).toBe('PENDING');
    const mx = { type: 'MX', name: 'bounces.mail.example.test', priority: 10 } as const;
    zone.publish({ ...mx, value: `feedback-smtp.${home}.amazonses.com` });
    expect(await status()).toBe('SUCCESS');
    zone.publish({ ...mx, value: 'mx.other.test' });
    expect(await status()).toBe('FAILED');
  });

  it('store signing and configuration set', async () => {
    const { client } = await setUp();
    await client.send(create());
    const EmailIdentity = 'mail.example.test';
    await client.send(new PutEmailIdentityDkimAttributesCommand({ EmailIdentity, SigningEnabled: false }));
    await client.send(
      new PutEmailIdentityConfigurationSetAttributesCommand({ EmailIdentity, ConfigurationSetName: 'set' }),
    );
    expect(await client.send(get)).toMatchObject({
      ConfigurationSetName: 'set',
      DkimAttributes: { SigningEnabled: false },
    });
  });

  it('are throttled to one per second and region', async () => {
    const { client, clock } = await setUp({ managementCallsPerSecond: 1 });
    await client.send(create());
    await expect(client.send(get)).rejects.toMatchObject({ name: 'TooManyRequestsException' });
    clock.advance(1_000);
    await expect(client.send(get)).resolves.toMatchObject({ IdentityType: 'DOMAIN' });
  });

  it('return the quota of the account and region', async () => {
    const { client } = await setUp();
    expect(await client.send(new GetAccountCommand({}))).toMatchObject({
      ProductionAccessEnabled: true,
      SendingEnabled: true,
      SendQuota: { Max24HourSend: 100_000_000, MaxSendRate: 100_000, SentLast24Hours: 0 },
    });
  });

  it('reject unsupported fields and actions', async () => {
    const { ses, client } = await setUp();
    await expect(
      client.send(new CreateEmailIdentityCommand({ EmailIdentity: 'easy.test' })),
    ).rejects.toMatchObject({ name: 'BadRequestException' });
    expect(() =>
      ses.action({
        principal: 'p',
        service: 'ses',
        region: home,
        method: 'GET',
        path: '/v2/email/dedicated-ips',
        rawPath: '/v2/email/dedicated-ips',
        query: new URLSearchParams(),
        headers: {},
        body: Buffer.alloc(0),
      }),
    ).toThrow('does not know GET /v2/email/dedicated-ips');
  });
});
