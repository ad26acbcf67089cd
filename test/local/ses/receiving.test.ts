import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SendEmailCommand } from '@aws-sdk/client-sesv2';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { corpus, corpusName } from '../../../scripts/corpus/files.ts';
import {
  catchAll,
  createKit,
  dkimKey,
  home,
  inboundTopic,
  message,
  other,
  plainMessage,
  startSdk,
} from './kit.ts';

function setUp() {
  const kit = createKit();
  kit.ses.setReceiptRuleSet(home, catchAll(home));
  return kit;
}

const incoming = (raw = plainMessage('Bob <bob@example.com>', 'ann@sender.test')) => ({
  from: 'bob@example.com',
  recipients: ['ann@sender.test'],
  raw,
});

describe('receive', () => {
  it("stores the message with SES's header fields and publishes a notification", async () => {
    const { ses, stored, published } = setUp();
    const { received } = await ses.receive({
      ...incoming(),
      remoteAddress: '192.0.2.1',
      hostName: 'mx.example.com',
    });
    const [{ messageId, key } = { messageId: '', key: '' }] = received;
    expect(messageId).toMatch(/^[0-9a-z]{40}$/);
    expect(key).toBe(`inbound/${messageId}`);
    expect(stored.get(`raw-${home}/${key}`)?.toString()).toBe(
      `${message(
        'Return-Path: <bob@example.com>',
        'Received: from mx.example.com (mx.example.com [192.0.2.1])',
        ` by inbound-smtp.${home}.amazonaws.com with SMTP id ${messageId}`,
        ' for ann@sender.test;',
        ' Sat, 21 Nov 2026 08:30:00 +0000 (UTC)',
        'X-SES-Spam-Verdict: PASS',
        'X-SES-Virus-Verdict: PASS',
        'Received-SPF: none client-ip=192.0.2.1; envelope-from=bob@example.com; helo=mx.example.com;',
        'Authentication-Results: amazonses.com;',
        ' spf=none client-ip=192.0.2.1;',
        ' dkim=none;',
        ' dmarc=none;',
      )}${incoming().raw}`,
    );
    expect(published).toEqual([
      {
        topicArn: inboundTopic,
        message: {
          notificationType: 'Received',
          mail: {
            timestamp: '2026-11-21T08:30:00.000Z',
            source: 'bob@example.com',
            messageId,
            destination: ['ann@sender.test'],
            headersTruncated: false,
            headers: expect.arrayContaining([
              { name: 'Return-Path', value: '<bob@example.com>' },
              { name: 'Message-ID', value: '<own@parley>' },
            ]),
            commonHeaders: {
              returnPath: 'bob@example.com',
              from: ['Bob <bob@example.com>'],
              to: ['ann@sender.test'],
              date: 'Sat, 21 Nov 2026 08:00:00 +0000',
              messageId: '<own@parley>',
              subject: 'Hello',
            },
          },
          receipt: {
            timestamp: '2026-11-21T08:30:00.000Z',
            processingTimeMillis: 0,
            recipients: ['ann@sender.test'],
            spamVerdict: { status: 'PASS' },
            virusVerdict: { status: 'PASS' },
            spfVerdict: { status: 'GRAY' },
            dkimVerdict: { status: 'GRAY' },
            dmarcVerdict: { status: 'GRAY' },
            action: {
              type: 'S3',
              topicArn: inboundTopic,
              bucketName: `raw-${home}`,
              objectKeyPrefix: 'inbound/',
              objectKey: key,
            },
          },
        },
      },
    ]);
  });

  it('reads verdicts from header fields of the message', async () => {
    const { ses, published } = setUp();
    await ses.receive(
      incoming(
        message(
          'X-Local-Spam-Verdict: fail',
          'X-Local-DMARC-Verdict: FAIL',
          'X-Local-Dmarc-Policy: reject',
          '',
          '',
        ),
      ),
    );
    expect(published[0]?.message.receipt).toMatchObject({
      spamVerdict: { status: 'FAIL' },
      virusVerdict: { status: 'PASS' },
      dmarcVerdict: { status: 'FAIL' },
      dmarcPolicy: 'reject',
    });
  });

  it('refuses recipients at unverified domains only', async () => {
    const { ses, published } = setUp();
    const mail = {
      ...incoming(),
      recipients: ['ann@sender.test', 'x@elsewhere.test', 'al@deep.sender.test'],
    };
    const { refused } = await ses.receive(mail);
    expect(refused).toEqual(['x@elsewhere.test']);
    expect(published.map(({ message }) => message.receipt)).toMatchObject([
      { recipients: ['ann@sender.test', 'al@deep.sender.test'] },
    ]);
  });

  it('accepts no mail without an active rule set or matching rule', async () => {
    const { ses } = createKit();
    expect(await ses.accepts('ann@sender.test')).toBe(false);
    const { rules } = catchAll(home);
    const [rule] = rules;
    if (rule === undefined) throw new Error('no rule');
    ses.setReceiptRuleSet(home, {
      name: 'rules',
      active: true,
      rules: [{ ...rule, recipients: ['.sender.test', 'al@sender.test'] }],
    });
    expect(await ses.accepts('Al@Sender.test')).toBe(true);
    expect(await ses.accepts('x@deep.sender.test')).toBe(true);
    expect(await ses.accepts('ann@sender.test')).toBe(false);
    ses.setReceiptRuleSet(home, { name: 'rules', active: false, rules });
    expect(await ses.accepts('al@sender.test')).toBe(false);
  });

  it('rejects a rule whose bucket or topic it may not use', () => {
    const rejected = (options: Parameters<typeof createKit>[0], message: string) => {
      const { ses } = createKit(options);
      expect(() => ses.setReceiptRuleSet(home, catchAll(home))).toThrow(message);
    };
    const sources: string[] = [];
    rejected(
      { mayStore: (_bucket, _key, source) => sources.push(source) < 1 },
      'Could not write to bucket: raw-',
    );
    rejected(
      { mayPublish: (topic) => topic !== inboundTopic },
      `Could not publish to SNS topic: ${inboundTopic}`,
    );
    expect(sources).toEqual([
      'arn:aws:ses:eu-central-1:111111111111:receipt-rule-set/rules:receipt-rule/catch-all',
    ]);
  });

  it('uses the region of the MX record when two have the domain', async () => {
    const { ses, zone } = setUp();
    ses.addVerifiedIdentity(other, 'sender.test');
    ses.setReceiptRuleSet(other, catchAll(other));
    expect((await ses.receive(incoming())).received).toMatchObject([{ region: home }]);
    zone.publish({
      type: 'MX',
      name: 'sender.test',
      value: `inbound-smtp.${other}.amazonaws.com`,
      priority: 10,
    });
    expect((await ses.receive(incoming())).received).toMatchObject([{ region: other }]);
  });

  it('continues for a verified domain whose DKIM record was removed', async () => {
    const { ses, zone } = setUp();
    const key = dkimKey();
    const call = (body: object) =>
      ses.handle({
        principal: 'p',
        service: 'ses',
        region: home,
        method: 'POST',
        path: '/v2/email/identities',
        rawPath: '/v2/email/identities',
        query: new URLSearchParams(),
        headers: {},
        body: Buffer.from(JSON.stringify(body)),
      });
    await call({
      EmailIdentity: 'new.test',
      DkimSigningAttributes: { DomainSigningSelector: 's', DomainSigningPrivateKey: key.pkcs8 },
    });
    expect(await ses.accepts('a@new.test')).toBe(false);
    zone.publish({ type: 'TXT', name: 's._domainkey.new.test', value: key.record });
    expect(await ses.accepts('a@new.test')).toBe(true);
    zone.remove({ name: 's._domainkey.new.test' });
    expect(await ses.accepts('a@new.test')).toBe(true);
  });

  it("truncates headers of a notification at 10 KB and keeps it below SNS's limit", async () => {
    const { ses, published } = setUp();
    const crowd = Array.from({ length: 10_000 }, (_, index) => `someone-${index}@example.com`).join(',\r\n ');
    await ses.receive(incoming(message(`To: ${crowd}`, 'Subject: =?utf-8?q?Gr=C3=BC=C3=9Fe?=', '', 'x')));
    const [notification] = published;
    expect(JSON.stringify(notification).length).toBeLessThan(256 * 1024);
    expect(notification?.message.mail).toMatchObject({
      headersTruncated: true,
      commonHeaders: { subject: 'Grüße' },
    });
  });

  it('stores any bytes unchanged', async () => {
    const { ses, stored } = setUp();
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 400 }), async (bytes) => {
        const raw = Buffer.from(bytes);
        const { received } = await ses.receive(incoming(raw));
        const body = stored.get(`raw-${home}/${received[0]?.key}`);
        expect(body?.subarray(body.length - raw.length)).toEqual(raw);
      }),
    );
  });

  it(`accepts every message of ${corpusName}`, async () => {
    const { ses, published } = setUp();
    const files = globSync('{mime,bounces}/**/*.eml', { cwd: corpus });
    for (const file of files) {
      const { received } = await ses.receive(incoming(readFileSync(join(corpus, file))));
      expect(received, file).toHaveLength(1);
    }
    expect(files.length).toBeGreaterThan(0);
    expect(published).toHaveLength(files.length);
  });
});

describe('mail between domains of one cloud', () => {
  it('is delivered in wire form, authenticated, with a Delivery event', async () => {
    const { ses, stored, published } = setUp();
    ses.addVerifiedIdentity(home, 'neighbour.test');
    const { client, close } = await startSdk(ses);
    const { MessageId } = await client.send(
      new SendEmailCommand({
        FromEmailAddress: 'ann@sender.test',
        Destination: { BccAddresses: ['bob@neighbour.test'] },
        Content: { Raw: { Data: plainMessage('ann@sender.test', 'all@example.com') } },
        ConfigurationSetName: 'set',
      }),
    );
    await ses.idle();
    await close();
    const [raw = ''] = [...stored.values()].map(String);
    expect(raw).toContain(`Return-Path: <${MessageId}@${home}.amazonses.com>\r\n`);
    expect(raw).toContain(`Message-ID: <${MessageId}@${home}.amazonses.com>\r\n`);
    expect(published.map(({ message }) => message.eventType ?? message.notificationType)).toEqual([
      'Send',
      'Received',
      'Delivery',
    ]);
    expect(published[1]?.message).toMatchObject({
      mail: { destination: ['all@example.com'] },
      receipt: {
        recipients: ['bob@neighbour.test'],
        spfVerdict: { status: 'PASS' },
        dkimVerdict: { status: 'PASS' },
        dmarcVerdict: { status: 'PASS' },
      },
    });
  });
});
