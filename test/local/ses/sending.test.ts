import { SendEmailCommand, type SendEmailCommandInput } from '@aws-sdk/client-sesv2';
import { afterEach, describe, expect, it } from 'vitest';
import { localAccount } from '../../../lib/local/aws/service.ts';
import type { SesOptions } from '../../../lib/local/ses/ses.ts';
import { createKit, eventTopic, home, message, other, plainMessage, startSdk, startsAt } from './kit.ts';

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  await Promise.all(closing.splice(0).map((close) => close()));
});

async function setUp(options: Partial<SesOptions> = {}, region = home) {
  const kit = createKit(options);
  const { client, close } = await startSdk(kit.ses, region);
  closing.push(close);
  const send = async (input: Partial<SendEmailCommandInput> = {}) => {
    const { MessageId = '' } = await client.send(new SendEmailCommand({ ...email(), ...input }));
    await kit.ses.idle();
    return MessageId;
  };
  const events = () =>
    kit.published
      .filter(({ topicArn }) => topicArn === eventTopic)
      .map(({ message }) => message as Record<string, unknown> & { eventType: string });
  return { ...kit, send, events };
}

function email(raw = plainMessage()): SendEmailCommandInput {
  return {
    FromEmailAddress: 'Ann <ann@sender.test>',
    Destination: { ToAddresses: ['bob@example.com'] },
    Content: { Raw: { Data: raw } },
    ConfigurationSetName: 'set',
    EmailTags: [{ Name: 'email_id', Value: 'eml_1' }],
  };
}

const to = (...ToAddresses: string[]) => ({ Destination: { ToAddresses } });

describe('SendEmail', () => {
  it('stores the submission and the delivered message with SES’s Message-ID and Date', async () => {
    const { send, ses } = await setUp();
    const raw = message(
      'From: Ann <ann@sender.test>',
      'To: bob@example.com',
      'Message-ID: <own@parley>',
      'References: <a@b>',
      'Bcc: hidden@example.com',
      '',
      'Hi.',
    );
    const id = await send({
      Content: { Raw: { Data: raw } },
      Destination: { ToAddresses: ['bob@example.com'], CcAddresses: ['Cy <cy@example.org>'] },
    });
    expect(id).toMatch(/^0107[0-9a-f]{12}-[0-9a-f-]{36}-000000$/);
    const [mail] = ses.sent();
    expect(mail).toMatchObject({
      id,
      region: home,
      at: startsAt,
      from: 'Ann <ann@sender.test>',
      destination: { to: ['bob@example.com'], cc: ['Cy <cy@example.org>'], bcc: [] },
      recipients: ['bob@example.com', 'cy@example.org'],
      tags: { email_id: 'eml_1' },
      configurationSet: 'set',
      returnPath: `${id}@${home}.amazonses.com`,
      raw,
    });
    expect(mail?.wire.toString()).toBe(
      message(
        'From: Ann <ann@sender.test>',
        'To: bob@example.com',
        'References: <a@b>',
        `Message-ID: <${id}@${home}.amazonses.com>`,
        'Date: Sat, 21 Nov 2026 08:30:00 +0000',
        `Feedback-ID: ::1.${home}.local:AmazonSES`,
        'X-SES-Outgoing: 2026.11.21-127.0.0.1',
        '',
        'Hi.',
      ).toString(),
    );
  });

  it('uses email.amazonses.com in the Message-ID in us-east-1', async () => {
    const { send, ses } = await setUp({}, other);
    ses.addVerifiedIdentity(other, 'sender.test');
    const id = await send({ ConfigurationSetName: undefined });
    expect(ses.sent()[0]?.wire.toString()).toContain(`Message-ID: <${id}@email.amazonses.com>\r\n`);
  });

  it('accepts subdomains of an identity, in its region only', async () => {
    const { send, ses } = await setUp();
    const from = 'ann@deep.below.sender.test';
    await send({ FromEmailAddress: from, Content: { Raw: { Data: plainMessage(from) } } });
    expect(ses.sent()).toHaveLength(1);
    const elsewhere = await setUp({}, other);
    await expect(elsewhere.send({ ConfigurationSetName: undefined })).rejects.toMatchObject({
      name: 'MessageRejected',
      message:
        'Email address is not verified. The following identities failed the check in region US-EAST-1: ann@sender.test',
    });
  });

  const raw = (...lines: string[]) => ({ Content: { Raw: { Data: message(...lines) } } });
  const many = Array.from({ length: 51 }, (_, index) => `r${index}@example.com`);
  it.each<[string, string, Partial<SendEmailCommandInput>]>([
    ['BadRequestException', 'Recipient count exceeds 50.', to(...many)],
    ['BadRequestException', "Missing final '@domain'", to('bob')],
    ['BadRequestException', 'non-ASCII', to('bób@example.com')],
    ['BadRequestException', 'control or whitespace', to('bob smith@example.com')],
    ['BadRequestException', 'Domain contains illegal character', to('bob@exämple.com')],
    ['BadRequestException', 'at least one recipient', to()],
    ['BadRequestException', "Missing required header 'From'.", raw('To: a@b.test', '', 'x')],
    [
      'BadRequestException',
      "Duplicate header 'subject'.",
      raw('From: ann@sender.test', 'Subject: a', 'subject: b'),
    ],
    ['BadRequestException', 'line of more than 1000', raw('From: ann@sender.test', '', 'x'.repeat(999))],
    ['BadRequestException', 'Invalid tag value', { EmailTags: [{ Name: 'a', Value: 'b c' }] }],
    ['BadRequestException', 'FeedbackForwardingEmailAddress', { FeedbackForwardingEmailAddress: 'a@b.test' }],
    ['NotFoundException', 'Configuration set <none> does not exist.', { ConfigurationSetName: 'none' }],
    ['MessageRejected', 'eve@other.test', { FromEmailAddress: 'eve@other.test' }],
    ['MessageRejected', 'eve@other.test', raw('From: eve@other.test', '', 'x')],
  ])('fails with %s: %s', async (name, text, input) => {
    const { send, ses } = await setUp();
    await expect(send(input)).rejects.toMatchObject({ name, message: expect.stringContaining(text) });
    expect(ses.sent()).toEqual([]);
  });

  it('accepts verified recipients and the simulator only in the sandbox', async () => {
    const { send } = await setUp({ isSandbox: true });
    await expect(send()).rejects.toMatchObject({ name: 'MessageRejected' });
    await expect(send(to('bob@sender.test', 'success@simulator.amazonses.com'))).resolves.toBeTruthy();
  });

  it('uses the MAIL FROM domain when its MX record is published, and rejects without it when configured so', async () => {
    const { send, ses, zone } = await setUp();
    const call = (method: string, path: string, body: object) =>
      ses.handle({
        principal: 'p',
        service: 'ses',
        region: home,
        method,
        path,
        rawPath: path,
        query: new URLSearchParams(),
        headers: {},
        body: Buffer.from(JSON.stringify(body)),
      });
    const mailFrom = { MailFromDomain: 'bounces.sender.test', BehaviorOnMxFailure: 'REJECT_MESSAGE' };
    await call('PUT', '/v2/email/identities/sender.test/mail-from', mailFrom);
    await expect(send()).rejects.toMatchObject({ name: 'MailFromDomainNotVerifiedException' });
    zone.publish({
      type: 'MX',
      name: 'bounces.sender.test',
      value: `feedback-smtp.${home}.amazonses.com`,
      priority: 10,
    });
    const id = await send();
    expect(ses.sent()[0]?.returnPath).toBe(`${id}@bounces.sender.test`);
  });

  it("requires permission on the sender's identity and on the configuration set", async () => {
    const { ses } = createKit();
    const permissions = ses.permissions({
      principal: 'p',
      service: 'ses',
      region: home,
      method: 'POST',
      path: '/v2/email/outbound-emails',
      rawPath: '/v2/email/outbound-emails',
      query: new URLSearchParams(),
      headers: {},
      body: Buffer.from(
        JSON.stringify({
          FromEmailAddress: 'a@x.sender.test',
          Destination: {},
          Content: { Raw: { Data: '' } },
          ConfigurationSetName: 'set',
        }),
      ),
    });
    const arn = (resource: string) => `arn:aws:ses:${home}:${localAccount}:${resource}`;
    expect(permissions.map(({ action, resource }) => [action, resource])).toEqual([
      ['ses:SendEmail', arn('identity/sender.test')],
      ['ses:SendRawEmail', arn('identity/sender.test')],
      ['ses:SendEmail', arn('configuration-set/set')],
      ['ses:SendRawEmail', arn('configuration-set/set')],
    ]);
  });
});

describe('events', () => {
  it("are Send and Delivery with SES's mail object", async () => {
    const { send, events } = await setUp();
    const id = await send();
    const mail = {
      timestamp: '2026-11-21T08:30:00.000Z',
      source: 'Ann <ann@sender.test>',
      sourceArn: `arn:aws:ses:${home}:${localAccount}:identity/sender.test`,
      sendingAccountId: localAccount,
      messageId: id,
      destination: ['bob@example.com'],
      headersTruncated: false,
      headers: [
        { name: 'From', value: 'Ann <ann@sender.test>' },
        { name: 'To', value: 'bob@example.com' },
        { name: 'Subject', value: 'Hello' },
        { name: 'Message-ID', value: '<own@parley>' },
        { name: 'Date', value: 'Sat, 21 Nov 2026 08:00:00 +0000' },
      ],
      commonHeaders: {
        from: ['Ann <ann@sender.test>'],
        to: ['bob@example.com'],
        date: 'Sat, 21 Nov 2026 08:00:00 +0000',
        messageId: id,
        subject: 'Hello',
      },
      tags: {
        'ses:source-ip': ['127.0.0.1'],
        'ses:from-domain': ['sender.test'],
        'ses:caller-identity': ['local-admin'],
        'ses:operation': ['SendEmail'],
        'ses:configuration-set': ['set'],
        email_id: ['eml_1'],
      },
    };
    expect(events()).toEqual([
      { eventType: 'Send', send: {}, mail },
      {
        eventType: 'Delivery',
        delivery: {
          timestamp: '2026-11-21T08:30:00.000Z',
          processingTimeMillis: 0,
          recipients: ['bob@example.com'],
          smtpResponse: '250 ok',
          reportingMTA: `e1-1.smtp-out.${home}.amazonses.com`,
          remoteMtaIp: '127.0.0.1',
        },
        mail,
      },
    ]);
  });

  it('are separate per recipient domain', async () => {
    const { send, events } = await setUp();
    await send(to('a@one.test', 'b@two.test', 'c@one.test', 'd+bounce@one.test'));
    expect(events().map(({ eventType, delivery, bounce }) => [eventType, delivery ?? bounce])).toMatchObject([
      ['Send', undefined],
      ['Bounce', { bouncedRecipients: [{ emailAddress: 'd+bounce@one.test' }] }],
      ['Delivery', { recipients: ['a@one.test', 'c@one.test'] }],
      ['Delivery', { recipients: ['b@two.test'] }],
    ]);
  });

  it.each([
    ['bounce@simulator.amazonses.com', 'Permanent', 'General', '5.1.1'],
    ['x+bounce@example.com', 'Permanent', 'General', '5.1.1'],
    ['x+softbounce@example.com', 'Transient', 'MailboxFull', '4.2.2'],
    ['suppressionlist@simulator.amazonses.com', 'Permanent', 'Suppressed', '5.1.1'],
  ])('include the bounce of %s', async (address, bounceType, bounceSubType, status) => {
    const { send, events } = await setUp();
    await send(to(address));
    expect(events()).toMatchObject([
      { eventType: 'Send' },
      {
        eventType: 'Bounce',
        bounce: {
          bounceType,
          bounceSubType,
          bouncedRecipients: [
            { emailAddress: address, action: 'failed', status, diagnosticCode: expect.any(String) },
          ],
          timestamp: '2026-11-21T08:30:00.000Z',
          feedbackId: expect.stringMatching(/^0107/),
          reportingMTA: `dns; e1-1.smtp-out.${home}.amazonses.com`,
        },
      },
    ]);
  });

  it('include a bounce or complaint without delivery for addresses on the account-level suppression list', async () => {
    const { send, events } = await setUp();
    await send(to('x+bounce@one.test', 'y+complaint@two.test'));
    const before = events().length;
    await send(to('X+bounce@one.test', 'y+complaint@two.test'));
    expect(events().slice(before)).toMatchObject([
      { eventType: 'Send' },
      { eventType: 'Bounce', bounce: { bounceSubType: 'OnAccountSuppressionList' } },
      { eventType: 'Complaint', complaint: { complaintSubType: 'OnAccountSuppressionList' } },
    ]);
  });

  it('ignore the account-level suppression list for configuration sets without suppressed reasons', async () => {
    const { ses, send, events } = await setUp();
    ses.setConfigurationSet(home, 'set', {
      topicArn: eventTopic,
      eventTypes: ['BOUNCE'],
      suppressedReasons: [],
    });
    await send(to('x+bounce@one.test'));
    await send(to('x+bounce@one.test'));
    expect(events().map((event) => event.bounce)).toMatchObject([
      { bounceSubType: 'General' },
      { bounceSubType: 'General' },
    ]);
  });

  it('include a complaint after the delivery that lists all recipients at the domain', async () => {
    const { send, events } = await setUp();
    await send(to('a@one.test', 'b+complaint@one.test', 'c@two.test'));
    expect(events().map(({ eventType }) => eventType)).toEqual(['Send', 'Delivery', 'Complaint', 'Delivery']);
    expect(events()[2]).toMatchObject({
      complaint: {
        complainedRecipients: [{ emailAddress: 'a@one.test' }, { emailAddress: 'b+complaint@one.test' }],
        complaintSubType: null,
        complaintFeedbackType: 'abuse',
      },
    });
  });

  it('include a delivery and a bounce without status for an out-of-office reply', async () => {
    const { send, events } = await setUp();
    await send(to('ooto@simulator.amazonses.com'));
    expect(events().map(({ eventType }) => eventType)).toEqual(['Send', 'Delivery', 'Bounce']);
    expect(events()[2]).toMatchObject({
      bounce: {
        bounceType: 'Transient',
        bounceSubType: 'General',
        bouncedRecipients: [{ emailAddress: 'ooto@simulator.amazonses.com' }],
      },
    });
  });

  it('include one Reject, without delivery, for a rejected message', async () => {
    const { send, events } = await setUp();
    await send(to('a@one.test', 'b+reject@two.test'));
    expect(events()).toMatchObject([
      { eventType: 'Send' },
      { eventType: 'Reject', reject: { reason: 'Bad content' } },
    ]);
  });

  it('include a delay, and the delivery at its time', async () => {
    const { send, events, ses, clock } = await setUp();
    await send(to('a+delay@one.test'));
    expect(events().at(-1)).toMatchObject({
      eventType: 'DeliveryDelay',
      deliveryDelay: { delayedRecipients: [{ emailAddress: 'a+delay@one.test', status: '4.4.1' }] },
    });
    clock.advance(900_000);
    await ses.idle();
    expect(events().at(-1)).toMatchObject({
      eventType: 'Delivery',
      delivery: { processingTimeMillis: 900_000 },
    });
  });

  it('are published for the types of the destination only', async () => {
    const { send, events, ses } = await setUp();
    ses.setConfigurationSet(home, 'set', { topicArn: eventTopic, eventTypes: ['BOUNCE'] });
    await send(to('a+bounce@one.test'));
    expect(events().map(({ eventType }) => eventType)).toEqual(['Bounce']);
  });

  it('are published on request for sent mail', async () => {
    const { send, events, ses } = await setUp();
    const id = await send();
    ses.publishEvent(id, { type: 'CLICK', content: { link: 'https://example.com/' } });
    expect(events().at(-1)).toMatchObject({
      eventType: 'Click',
      click: { link: 'https://example.com/' },
      mail: { messageId: id },
    });
  });

  it('are held, duplicated and reordered on request', async () => {
    const { send, events, ses } = await setUp();
    const gate = ses.events(home);
    gate.hold(true);
    await send(to('a@one.test', 'b@two.test', 'c@three.test'));
    expect(events()).toEqual([]);
    expect(gate.held()).toHaveLength(4);
    expect(gate.release({ duplicate: true, shuffle: 7 })).toBe(8);
    const types = events().map(({ eventType }) => eventType);
    expect(types.toSorted()).toEqual([...Array(6).fill('Delivery'), 'Send', 'Send']);
    expect(types.slice(0, 2)).not.toEqual(['Send', 'Send']);
    await send();
    expect(events()).toHaveLength(8);
    gate.hold(false);
    expect(events()).toHaveLength(10);
  });
});
