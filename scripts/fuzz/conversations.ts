/** Hostile answers to an email of the workspace: forged ids, reports and opt-outs, and hostile addresses. Strings of octets. */
import type { Random } from '../random.ts';
import { hostileLength, hostileText, octets } from './hostile-text.ts';
import { type Correspondence, messageWith, type Slots } from './message-fields.ts';

type Make = (random: Random, with_: Correspondence) => string;

export const conversations: Readonly<Record<string, Make>> = {
  'forged reply': (random, with_) =>
    messageWith('mail', with_, {
      'message.From': sender(random, with_),
      'message.Reply-To': `"${hostileText(random, hostileLength(random))}" <mallory@example.test>`,
      'message.Subject': random.pick(['Re: Fuzz', 'RE: AW: Fuzz', 'Fuzz', '']),
      'message.In-Reply-To': id(random, with_),
      'message.References': Array.from({ length: random.below(60) }, () => id(random, with_)).join(' '),
      ...verdicts(random),
    }),
  forward: (random, with_) =>
    messageWith('mail', with_, {
      'message.From': sender(random, with_),
      'message.Subject': 'Fwd: Fuzz',
      'message.References': id(random, with_),
      'text body': `See below\r\n\r\n-------- Forwarded Message --------\r\nFrom: ${hostileText(random, hostileLength(random))}\r\nSubject: Fuzz\r\n\r\nHello\r\n`,
    }),
  'forged opt-out': (random, with_) =>
    messageWith('mail', with_, {
      'message.From': with_.bystander,
      'message.In-Reply-To': with_.optionalId,
      'message.Subject': random.pick(['stop', 'unsubscribe', 'Re: Fuzz']),
      'text body': random.pick(['stop', 'STOP\r\n', 'unsubscribe']),
      ...verdicts(random),
    }),
  'forged bounce': (random, with_) =>
    messageWith('status', with_, {
      'report.Final-Recipient': `rfc822; ${spelling(random, with_.bystander)}`,
      'report.Status': random.pick(['5.1.1', '5.0.0', '4.2.2', '2.0.0', hostileText(random, 100)]),
      'report.Action': random.pick(['failed', 'delayed', 'delivered', hostileText(random, 100)]),
      'original.To': with_.bystander,
      'original.Message-ID': random.pick([with_.sentId, with_.ownId]),
      ...verdicts(random),
    }),
  'forged complaint': (random, with_) =>
    messageWith('feedback', with_, {
      'report.Original-Rcpt-To': spelling(random, with_.bystander),
      'report.Feedback-Type': random.pick(['abuse', 'fraud', 'not-spam', 'opt-out', hostileText(random, 50)]),
      'original.To': with_.bystander,
      ...verdicts(random),
    }),
  'hostile addresses': (random, with_) => {
    const list = () =>
      Array.from({ length: 1 + random.below(random.pick([3, 300])) }, () => address(random)).join(', ');
    return messageWith('mail', with_, {
      'message.From': address(random),
      'message.To': list(),
      'message.Cc': list(),
      'message.Reply-To': list(),
      'message.Sender': address(random),
    });
  },
};

function sender(random: Random, { customer, bystander, mailbox }: Correspondence): string {
  return random.pick([
    customer,
    bystander,
    mailbox,
    `"${hostileText(random, hostileLength(random))}" <${customer}>`,
    address(random),
  ]);
}

function id(random: Random, { sentId, ownId, threadId, mailbox }: Correspondence): string {
  const [local = '', host = ''] = mailbox.split('@');
  return random.pick([
    sentId,
    ownId,
    `<${threadId}@${host}>`,
    `<${local}+${threadId}@${host}>`,
    `<eml_${'0'.repeat(32)}@${host}>`,
    ownId.toUpperCase(),
    sentId.replace('>', ''),
    `<${hostileText(random, hostileLength(random))}@example.test>`,
  ]);
}

/** Another spelling of an address (RFC 5321, section 4.1.2). */
function spelling(random: Random, address: string): string {
  const [local = '', host = ''] = address.split('@');
  return random.pick([
    address,
    address.toUpperCase(),
    `"${local}"@${host}`,
    `"\\${local}"@${host}`,
    `${local}@${host}.`,
    `<${address}>`,
    `(${local}) ${address}`,
  ]);
}

function address(random: Random): string {
  const text = hostileText(random, random.below(200));
  return random.pick([
    'anna@example.test',
    '"anna"@example.test',
    '"an\\na"@EXAMPLE.test.',
    '"a@b"@example.test',
    octets('añna@exämple.test'),
    'anna@xn--exmple-cua.test',
    'anna@xn--\xff.test',
    'anna@[127.0.0.1]',
    'anna@[IPv6:::1]',
    'anna@localhost',
    '<>',
    '<@a.test,@b.test:anna@example.test>',
    'undisclosed-recipients:;',
    'Group: a@example.test, "b" <b@example.test>;',
    'A: B: c@example.test;;',
    '"a" <b@example.test> <c@example.test>',
    'a@example.test b@example.test',
    '=?utf-8?q?anna=40example.test?= <ben@example.test>',
    '=?utf-8?q?=22=2C?= <ben@example.test>',
    'support@mail.parley.test',
    `"${text}" <anna@example.test>`,
    `${text}@example.test`,
    `anna@${text}`,
    text,
  ]);
}

/** What SES says of the message, through the header fields that the local cloud reads. */
function verdicts(random: Random): Slots {
  const verdict = () => random.pick(['PASS', 'FAIL', 'GRAY', 'PROCESSING_FAILED']);
  if (random.below(2) === 0) return {};
  return {
    'message.X-Local-Spf-Verdict': random.pick(['FAIL', 'GRAY']),
    'message.X-Local-Dkim-Verdict': random.pick(['FAIL', 'GRAY']),
    'message.X-Local-Dmarc-Verdict': random.pick(['FAIL', 'GRAY']),
    'message.X-Local-Dmarc-Policy': random.pick(['none', 'quarantine', 'reject']),
    'message.X-Local-Spam-Verdict': verdict(),
    'message.X-Local-Virus-Verdict': verdict(),
  };
}
