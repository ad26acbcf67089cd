import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseMime } from '../../../lib/mail/message/parse-mime.ts';
import { readDeliveryReport } from '../../../lib/mail/reports/delivery-report.ts';
import { expectLinear } from '../../support/growth.ts';

const lines = (...text: readonly string[]): string => text.join('\r\n');
const read = async (source: string) => readDeliveryReport(await parseMime(Buffer.from(source)));

const original = lines(
  'Received: from a.example by b.example; Thu, 29 Apr 2010 23:34:45 +0900',
  'Message-ID: <wire@email.amazonses.com>',
  'References: <root@x.example>',
  ' <eml_0190a0000000ffffffffffffffffffff@our.example>',
  'From: us@our.example',
  'To: ann@y.example',
  'Subject: Hello',
  '',
  'Hello Ann',
);

/** A `multipart/report` of a type. */
function report(type: string, parts: readonly (readonly [contentType: string, content: string])[]): string {
  return lines(
    'From: MAILER-DAEMON@y.example',
    'To: us@our.example',
    'Subject: Undelivered Mail Returned to Sender',
    'Message-ID: <report@y.example>',
    `Content-Type: multipart/report; report-type=${type}; boundary=b`,
    '',
    ...parts.flatMap(([contentType, content]) => ['--b', `Content-Type: ${contentType}`, '', content]),
    '--b--',
    '',
  );
}

const status = (fields: readonly string[], copy: readonly [string, string] = ['message/rfc822', original]) =>
  report('delivery-status', [
    ['text/plain', 'I could not deliver your message.'],
    ['message/delivery-status', lines('Reporting-MTA: dns; b.example', '', ...fields)],
    copy,
  ]);

function plain(text: string, headers: readonly string[] = []): string {
  return lines(
    'Return-Path: <>',
    'From: MAILER-DAEMON@y.example',
    'To: us@our.example',
    'Subject: failure notice',
    ...headers,
    '',
    text.replaceAll('\n', '\r\n'),
  );
}

describe('readDeliveryReport of a delivery status notification (RFC 3464)', () => {
  it('returns recipients, their status and the original message', async () => {
    expect(
      await read(
        status([
          'Original-Recipient: rfc822;ann@y.example',
          'Final-Recipient: rfc822;ann-elise@internal.y.example',
          'Action: failed',
          'Status: 5.1.1',
          'Diagnostic-Code: smtp; 550 5.1.1 <ann@y.example>:',
          '    User unknown',
        ]),
      ),
    ).toEqual({
      kind: 'bounce',
      recipients: [
        {
          address: 'ann@y.example',
          action: 'failed',
          status: '5.1.1',
          diagnostic: '550 5.1.1 <ann@y.example>: User unknown',
          permanent: true,
        },
      ],
      reason: '550 5.1.1 <ann@y.example>: User unknown',
      originalMessageId: '<wire@email.amazonses.com>',
      originalReferences: ['<root@x.example>', '<eml_0190a0000000ffffffffffffffffffff@our.example>'],
    });
  });

  it('returns a delay when nothing failed, and a bounce when one recipient failed', async () => {
    const delayed = ['Final-Recipient: rfc822; ann@y.example', 'Action: delayed', 'Status: 4.4.1', ''];
    const failed = ['Final-Recipient: rfc822; bob@y.example', 'Action: failed', 'Status: 5.2.2', ''];
    expect(await read(status(delayed))).toMatchObject({ kind: 'delay', reason: '4.4.1' });
    const both = await read(status([...delayed, ...failed]));
    expect(both).toMatchObject({ kind: 'bounce', reason: '5.2.2' });
    expect(both?.recipients.map(({ address, action, permanent }) => [address, action, permanent])).toEqual([
      ['ann@y.example', 'delayed', false],
      ['bob@y.example', 'failed', false],
    ]);
  });

  it.each(['delivered', 'relayed', 'expanded'])('returns null when the action is "%s"', async (action) => {
    expect(await read(status(['Final-Recipient: rfc822; a@y.example', `Action: ${action}`]))).toBeNull();
  });

  it('reads recipients when no blank line separates them', async () => {
    const found = await read(
      status([
        'Final-Recipient: rfc822; a@y.example',
        'Action: failed',
        'Status: 5.1.1',
        'Final-Recipient: rfc822; b@y.example',
        'Action: failed',
        'Status: 4.4.7',
      ]),
    );
    expect(found?.recipients.map((one) => [one.address, one.status, one.permanent])).toEqual([
      ['a@y.example', '5.1.1', true],
      ['b@y.example', '4.4.7', false],
    ]);
  });

  it.each(['text/rfc822-headers', 'message/rfc822', 'message/global-headers', 'text/plain'])(
    'name the original in a part of type %s',
    async (type) => {
      const fields = ['Final-Recipient: rfc822; a@y.example', 'Action: failed'];
      expect((await read(status(fields, [type, original])))?.originalMessageId).toBe(
        '<wire@email.amazonses.com>',
      );
    },
  );

  it('returns In-Reply-To as the original when no copy was returned', async () => {
    const bare = status(['Final-Recipient: rfc822; a@y.example', 'Action: failed'], ['text/plain', 'Bye']);
    const found = await read(`In-Reply-To: <wire@email.amazonses.com>\r\n${bare}`);
    expect(found?.originalMessageId).toBe('<wire@email.amazonses.com>');
  });

  it('returns null when a person forwards the report', async () => {
    const forwarded = status(['Final-Recipient: rfc822; a@y.example', 'Action: failed'])
      .replace('MAILER-DAEMON@y.example', 'bob@y.example')
      .replace('Undelivered Mail', 'Fwd: Undelivered Mail')
      .replace('multipart/report; report-type=delivery-status;', 'multipart/mixed;');
    expect(await read(forwarded)).toBeNull();
  });
});

describe('readDeliveryReport of a feedback report (RFC 5965)', () => {
  const feedback = (fields: readonly string[]) =>
    report('feedback-report', [
      ['text/plain', 'This is an abuse report.'],
      ['message/feedback-report', lines(...fields)],
      ['message/rfc822', original],
    ]);

  it('returns a complaint with the named recipients', async () => {
    expect(
      await read(
        feedback([
          'Feedback-Type: abuse',
          'Original-Rcpt-To: <ann@y.example>',
          'Original-Rcpt-To: bob@y.example',
        ]),
      ),
    ).toMatchObject({
      kind: 'complaint',
      recipients: [
        { address: 'ann@y.example', action: 'complained' },
        { address: 'bob@y.example', action: 'complained' },
      ],
      reason: 'abuse',
      originalMessageId: '<wire@email.amazonses.com>',
    });
  });

  it.each(['redacted', 'redacted@y.example', 'ann@redacted', 'xxxx@y.example', 'f3a0b1@y.invalid'])(
    'returns a complaint without recipients when they are redacted as %s',
    async (address) => {
      const hidden = feedback(['Feedback-Type: fraud', `Original-Rcpt-To: ${address}`]);
      expect(await read(hidden)).toMatchObject({ kind: 'complaint', recipients: [], reason: 'fraud' });
    },
  );

  const fields = lines('Feedback-Type: virus', 'Version: 1', 'Original-Rcpt-To: ann@y.example');
  it.each([
    [
      'the fields come last',
      [
        ['text/rfc822-headers', original],
        ['text/plain', 'Abuse'],
        ['message/feedback-report', fields],
      ],
    ],
    [
      'the fields come first',
      [
        ['message/feedback-report', fields],
        ['message/rfc822', original],
      ],
    ],
    [
      'the fields are text',
      [
        ['text/plain', 'Abuse'],
        ['text/plain', fields],
        ['message/rfc822', original],
      ],
    ],
    [
      'the fields are a file',
      [
        ['application/octet-stream; name=report', fields],
        ['message/rfc822', original],
      ],
    ],
  ] as const)('returns the complaint when %s', async (_where, parts) => {
    expect(await read(report('feedback-report', parts))).toMatchObject({
      kind: 'complaint',
      recipients: [{ address: 'ann@y.example', action: 'complained' }],
      originalMessageId: '<wire@email.amazonses.com>',
    });
  });

  it.each(['not-spam', 'abuse'])('is no bounce when it speaks of one and its type is %s', async (type) => {
    const source = report('feedback-report', [
      ['text/plain', 'Delivery has failed: <ann@y.example>: 550 5.1.1 User unknown'],
      ['message/feedback-report', lines(`Feedback-Type: ${type}`)],
      [
        'message/delivery-status',
        lines('Final-Recipient: rfc822; ann@y.example', 'Action: failed', 'Status: 5.1.1'),
      ],
      ['message/rfc822', original],
    ]);
    expect((await read(`Return-Path: <>\r\nX-Failed-Recipients: ann@y.example\r\n${source}`))?.kind).toBe(
      type === 'abuse' ? 'complaint' : undefined,
    );
  });

  it.each(['not-spam', 'auth-failure', 'opt-out'])(
    'returns null when the feedback type is %s',
    async (type) => {
      expect(await read(feedback([`Feedback-Type: ${type}`, 'Original-Rcpt-To: a@y.example']))).toBeNull();
    },
  );

  it('reads reports of Microsoft’s feedback loop', async () => {
    const source = lines(
      'From: staff@hotmail.com',
      'Subject: complaint about message from 192.0.2.1',
      'Content-Type: multipart/mixed; boundary=b',
      '',
      '--b',
      'Content-Type: message/rfc822',
      '',
      'X-HmXmrOriginalRecipient: ann@hotmail.example',
      original,
      '--b--',
    );
    expect(await read(source)).toMatchObject({
      kind: 'complaint',
      recipients: [{ address: 'ann@hotmail.example' }],
      originalMessageId: '<wire@email.amazonses.com>',
    });
  });
});

describe('readDeliveryReport of several recipients', () => {
  const outcomes = async (source: string) =>
    (await read(source))?.recipients.map(({ address, permanent }) => [address, permanent]);

  it('matches each diagnostic of the text to its recipient', async () => {
    const text = `The following recipients failed:

<ann@y.example>: 550 5.1.1 User unknown
<bob@y.example>: 552 5.2.2 Mailbox full
<eve@y.example>: 550 5.7.1 blocked using a list`;
    expect(await outcomes(plain(text))).toEqual([
      ['ann@y.example', true],
      ['bob@y.example', false],
      ['eve@y.example', false],
    ]);
  });

  it('matches responses of an SMTP transcript to their recipients', async () => {
    const text = `   ----- The following addresses had permanent fatal errors -----
<ann@y.example>
<bob@y.example>

   ----- Transcript of session follows -----
<<< 550 5.1.1 <ann@y.example>... User unknown
<<< 552 5.2.2 <bob@y.example>... Mailbox full`;
    expect(await outcomes(plain(text))).toEqual([
      ['ann@y.example', true],
      ['bob@y.example', false],
    ]);
  });

  it('uses no diagnostic of another recipient when a recipient has none', async () => {
    const fields = ['X-Failed-Recipients: ann@y.example, bob@y.example'];
    expect(await outcomes(plain('ann@y.example\n  550 5.1.1 User unknown', fields))).toEqual([
      ['ann@y.example', true],
      ['bob@y.example', false],
    ]);
  });
});

describe('readDeliveryReport recognises a bounce', () => {
  it.each([
    ['[Postmaster] Email Delivery Failure', 'Your message was rejected.'],
    ['*** Undeliverable mail', 'x'],
    ['Mail delivery problem', 'Your message could not be delivered to ann@y.example.'],
    ['Error sending your message', 'x'],
    ['FAILED MAIL to "ann" regarding "Hello"', 'The address ann@y.example did not match an address.'],
    ['E', 'Your message did not reach the following recipient(s):\n\nann@y.example\n  Unknown Recipient'],
  ])('when the return path is null and the subject is %s', async (subject, text) => {
    const source = ['Return-Path: <>', 'From: mail@y.example', `Subject: ${subject}`, '', text].join('\r\n');
    expect((await read(source))?.kind).toBe('bounce');
  });

  it.each([
    [
      'an absence',
      'Out of office: your message',
      'I am out of office. Your message was not delivered to others.',
    ],
    ['a person', 'Delivery', 'When will it be delivered?'],
  ])('and not %s', async (_what, subject, text) => {
    const source = ['Return-Path: <>', 'From: ann@y.example', `Subject: ${subject}`, '', text].join('\r\n');
    expect(await read(source)).toBeNull();
  });
});

describe('readDeliveryReport of DSN text', () => {
  const unknown = '550 5.1.1 <ann@y.example>... User unknown';
  it.each([
    [
      'qmail',
      `Hi. This is the qmail-send program at y.example.
I'm afraid I wasn't able to deliver your message to the following addresses.

<ann@y.example>:
192.0.2.1 does not like recipient.
Remote host said: ${unknown}
Giving up on 192.0.2.1.

--- Below this line is a copy of the message.

Return-Path: <us@our.example>
${original}`,
    ],
    [
      'exim',
      `A message that you sent could not be delivered to one or more of its
recipients. This is a permanent error. The following address(es) failed:

  ann@y.example
    SMTP error from remote mail server after RCPT TO:<ann@y.example>:
    host mx.y.example [192.0.2.1]: ${unknown}

------ This is a copy of the message, including all the headers. ------

${original}`,
    ],
    [
      'exim, forwarded',
      `The following address(es) failed:

  bob@z.example
    (generated from ann@y.example)
    ${unknown}

------ This is a copy of the message, including all the headers. ------

${original}`,
    ],
    [
      'exim, forwarding address concealed',
      `The following address(es) failed:

  an undisclosed address
    (generated from ann@y.example)
    550 5.1.1 User unknown

------ This is a copy of the message, including all the headers. ------

${original}`,
    ],
    [
      'X.400',
      `Your message did not reach the following recipient(s):

c=US;a= ;p=Y;o=Site;dda:SMTP=ann@y.example; on Thu, 29 Apr 2010 00:00:00 -0000
    550 5.1.1 User unknown

${original}`,
    ],
    [
      'postfix without parts',
      `This is the mail system at host y.example. For further assistance, please send mail to postmaster@y.example.

<ann@y.example>: host mx.y.example[192.0.2.1] said: ${unknown} (in reply to RCPT TO)

${original}`,
    ],
    [
      'sendmail 5',
      `   ----- Transcript of session follows -----
While talking to y.example:
>>> RCPT To:<ann@y.example>
<<< ${unknown}

   ----- Unsent message follows -----
${original}`,
    ],
    [
      'Exchange',
      `Your message

  To:      ann@y.example
  Subject: Hello
  Sent:    Thu, 29 Apr 2010 00:00:00 -0000

did not reach the following recipient(s):

ann@y.example on Thu, 29 Apr 2010 00:00:00 -0000
    The recipient name is not recognized: 5.1.1

${original}`,
    ],
    [
      'one sentence',
      `There was an error delivering your mail to <ann@y.example>.

y.example did not like our RCPT TO:
${unknown}

Original message follows.

${original}`,
    ],
  ])('reads the text of %s', async (_server, text) => {
    const found = await read(plain(text.replaceAll('\r\n', '\n')));
    expect(found?.recipients.map((one) => [one.address, one.action, one.status, one.permanent])).toEqual([
      ['ann@y.example', 'failed', '5.1.1', true],
    ]);
    expect(found).toMatchObject({ kind: 'bounce', originalMessageId: '<wire@email.amazonses.com>' });
    expect(found?.originalReferences.at(-1)).toBe('<eml_0190a0000000ffffffffffffffffffff@our.example>');
  });

  it('reads a refusal by Dovecot, which is a disposition notification', async () => {
    const source = [
      'Return-Path: <>',
      'From: Mail Delivery Subsystem <admin@y.example>',
      'Subject: Automatically rejected mail',
      'Auto-Submitted: auto-replied (rejected)',
      'Content-Type: multipart/report; report-type=disposition-notification; boundary=x',
      '',
      '--x',
      '',
      'Your message to <ann@y.example> was automatically rejected:',
      'Quota exceeded',
      '--x',
      'Content-Type: message/disposition-notification',
      '',
      'Final-Recipient: rfc822; ann@y.example',
      'Disposition: automatic-action/MDN-sent-automatically; deleted',
      '--x--',
    ].join('\r\n');
    expect(await read(source)).toMatchObject({
      kind: 'bounce',
      recipients: [{ address: 'ann@y.example', action: 'failed', permanent: false }],
    });
  });

  it('reads no recipient below the heading of the copy', async () => {
    const text = `<ann@y.example>:
Remote host said: ${unknown}

--- Below this line is a copy of the message.

<bob@z.example>:
Remote host said: 550 5.1.1 User unknown
`;
    const found = await read(plain(text));
    expect(found?.recipients.map(({ address }) => address)).toEqual(['ann@y.example']);
  });

  it('reads recipients from X-Failed-Recipients', async () => {
    const text = 'Delivery failed permanently.\n\nThe error was: 550 5.2.2 over quota.';
    const found = await read(plain(text, ['X-Failed-Recipients: ann@y.example, bob@z.example']));
    expect(found?.recipients.map((one) => [one.address, one.status, one.permanent])).toEqual([
      ['ann@y.example', '5.2.2', false],
      ['bob@z.example', '5.2.2', false],
    ]);
  });

  it('returns a delay when the text warns of one', async () => {
    const text =
      'Delivery to the following recipient has been delayed:\n\n  ann@y.example\n\nIt will be retried.';
    expect(await read(plain(text))).toMatchObject({
      kind: 'delay',
      recipients: [{ address: 'ann@y.example', action: 'delayed', permanent: false }],
    });
  });

  it('reads html when there is no text', async () => {
    const html = lines(
      'From: postmaster@y.example',
      'Subject: Undeliverable: Hello',
      'Content-Type: text/html',
      '',
      '<p>Your message could not be delivered to these recipients:</p><p><b>ann@y.example</b></p><p>550 5.1.1 unknown</p>',
    );
    expect((await read(html))?.recipients.map(({ address }) => address)).toEqual(['ann@y.example']);
  });

  it('returns null when the headers do not mark a bounce', async () => {
    const said = 'I got this:\n\n<ann@y.example>: 550 5.1.1 User unknown';
    const person = plain(said).replace('MAILER-DAEMON', 'bob').replace('Return-Path: <>', 'X-A: b');
    expect(await read(person.replace('failure notice', 'Fwd: failure notice'))).toBeNull();
    const absent = plain('I am on vacation until Monday.', ['Auto-Submitted: auto-replied']);
    expect(
      await read(absent.replace('MAILER-DAEMON', 'ann').replace('failure notice', 'Out of office: Hello')),
    ).toBeNull();
  });
});

describe('readDeliveryReport of any input', () => {
  it('never throws', async () => {
    const piece = fc.constantFrom(
      'Final-Recipient: rfc822; a@b.example\n',
      'Action: failed\n',
      'Status: 5.1.1\n',
      '<a@b.example>: 550\n',
      'Message-ID: <a@b>\n',
      'Received: from x\n',
      '\n',
      ' folded\n',
      '@@\n',
      'To: a@b.example\n',
    );
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 40 }), async (pieces) => {
        const text = pieces.join('');
        for (const source of [plain(text), status([text.replaceAll('\n', '\r\n')])]) {
          const found = await read(source);
          expect(found === null || found.recipients.every(({ address }) => address.includes('@'))).toBe(true);
        }
      }),
      { numRuns: 100 },
    );
  });

  it.each([
    ['words', 'a'],
    ['folded lines', '\n a'],
    ['recipients', '<a@b.example>: 550\n'],
    ['labels', 'To: '],
    ['groups', '\nFinal-Recipient: rfc822; a@b.example\nAction: failed\n'],
  ])('is linear when the text repeats %s', async (_name, piece) => {
    const floods = await Promise.all(
      [1, 16].map(async (times) => {
        const flood = piece.repeat(Math.ceil((6000 * times) / piece.length));
        const sources = [
          plain(`Final-Recipient: rfc822;${flood}`),
          status([`Final-Recipient: rfc822;${flood}`]),
        ];
        return Promise.all(sources.map((source) => parseMime(Buffer.from(source))));
      }),
    );
    await expectLinear(
      (size) => floods[size === 1 ? 0 : 1] ?? [],
      (messages) => messages.map(readDeliveryReport),
      1,
    );
  });
});
