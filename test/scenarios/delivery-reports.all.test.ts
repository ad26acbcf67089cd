/** DSNs and feedback reports that arrive as mail, and mail loops. */
import { describe, expect, it } from 'vitest';
import { type Api, api } from '../support/api.ts';
import { cloud } from '../support/cloud.ts';
import { receiver } from '../support/receiver.ts';
import { type TestWorkspace, workspace } from '../support/workspace.ts';

interface Email {
  readonly id: string;
  readonly status: string;
  readonly category: string | null;
  readonly events: readonly {
    readonly type: string;
    readonly recipients: readonly string[];
    readonly detail: string | null;
  }[];
}

/** A delivered email. */
interface Delivered {
  readonly ours: TestWorkspace;
  readonly client: Api;
  readonly from: string;
  readonly id: string;
  /** The Message-ID that recipients see. */
  readonly wireId: string;
}

async function delivered(to: readonly string[]): Promise<Delivered> {
  const ours = await workspace();
  const client = api(ours);
  const from = `support@${ours.providedDomain}`;
  const sent = await client.post('/emails', { from, to, subject: 'Hello', text: 'Hello' });
  expect(sent.status).toBe(201);
  await cloud().waitForQuiescence();
  const submitted = (await cloud().sentTo(to[0] ?? '')).find((mail) => mail.from === from);
  if (!submitted) throw new Error('SES accepted nothing');
  return { ours, client, from, id: sent.body.id, wireId: submitted.message_id };
}

const lines = (...text: readonly string[]): string => text.join('\r\n');

/** A multipart/report (RFC 6522) of one type, with its fields and the header of the original message. */
function report(
  to: string,
  given: {
    type: 'delivery-status' | 'feedback-report';
    fields: readonly string[];
    original: readonly string[];
  },
  headers: readonly string[] = [],
): string {
  return lines(
    'From: MAILER-DAEMON@example.test',
    `To: ${to}`,
    'Subject: Undelivered Mail Returned to Sender',
    'Date: Sat, 21 Nov 2026 09:00:00 +0000',
    ...headers,
    `Content-Type: multipart/report; report-type=${given.type}; boundary=b`,
    '',
    '--b',
    'Content-Type: text/plain',
    '',
    'Something happened.',
    '--b',
    `Content-Type: message/${given.type}`,
    '',
    ...given.fields,
    '',
    '--b',
    'Content-Type: text/rfc822-headers',
    '',
    ...given.original,
    '',
    '--b--',
    '',
  );
}

const failure = (recipient: string, status: string) => [
  'Reporting-MTA: dns; mx.example.test',
  '',
  `Final-Recipient: rfc822; ${recipient}`,
  'Action: failed',
  `Status: ${status}`,
  `Diagnostic-Code: smtp; 550 ${status} no`,
];

/** The author, at example.test, is proved. */
const signed = 'X-Local-Dkim-Verdict: PASS';

/** Receives a DSN for `recipient` that names the original message by these header fields. */
async function bounce(
  { ours, from }: Delivered,
  recipient: string,
  original: readonly string[],
  { headers = [signed], returnPath = '' }: { headers?: readonly string[]; returnPath?: string } = {},
): Promise<void> {
  const fields = failure(recipient, '5.1.1');
  const id = `Message-ID: <report-${ours.slug}@example.test>`;
  const raw = report(from, { type: 'delivery-status', fields, original }, [id, ...headers]);
  await cloud().sendMail({ from: returnPath, to: from, raw });
  await cloud().waitForQuiescence();
}

async function outcome({ client, id }: Delivered): Promise<{ status: string; reports: readonly string[] }> {
  const { body } = await client.get<Email>(`/emails/${id}`);
  const reports = body.events.filter(({ type }) => type !== 'sent' && type !== 'delivered');
  return {
    status: body.status,
    reports: reports.map(({ type, recipients }) => `${type} ${recipients.join()}`),
  };
}

describe('a report that arrives as mail', () => {
  it('is recorded once on its email, sends email.bounced, and is stored as an email', async () => {
    const email = await delivered(['ann@example.test', 'bob@example.test']);
    const hook = await receiver();
    await email.client.post('/webhook-endpoints', {
      url: hook.url,
      subscriptions: ['email.bounced', 'email.received'],
    });
    await bounce(email, 'ann@example.test', [`Message-ID: ${email.wireId}`]);
    await bounce(email, 'ann@example.test', [`Message-ID: ${email.wireId}`]);

    expect(await outcome(email)).toEqual({ status: 'bounced', reports: ['bounced ann@example.test'] });
    const events = hook.requests.map(({ body }) => JSON.parse(body) as { type: string; data: object });
    expect(events.map(({ type }) => type).sort()).toEqual(['email.bounced', 'email.received']);
    expect(events.find(({ type }) => type === 'email.bounced')?.data).toMatchObject({
      email_id: email.id,
      recipients: ['ann@example.test'],
      permanent: true,
      reason: '550 5.1.1 no',
    });
    const inbound = await email.client.get('/emails?direction=inbound');
    expect(inbound.body.data.map(({ category }) => category)).toEqual(['bounce']);
  });

  it('counts where inbound rules block it, and becomes no email', async () => {
    const email = await delivered(['ann@example.test']);
    const rule = { action: 'allow', pattern: '@friend.test' };
    expect((await email.client.post('/inbound-rules', rule)).status).toBe(201);
    await bounce(email, 'ann@example.test', [`Message-ID: ${email.wireId}`]);
    expect(await outcome(email)).toEqual({ status: 'bounced', reports: ['bounced ann@example.test'] });
    const { body } = await email.client.get('/emails?direction=inbound');
    expect(body.data).toEqual([]);
    const events = await email.client.get('/events?type=email.blocked');
    expect(events.body.data.length).toBe(1);
  });

  it('finds its email by our own id in References when the Message-ID was rewritten', async () => {
    const email = await delivered(['ann@example.test']);
    const references = `References: <root@example.test> <${email.id}@${email.ours.providedDomain}>`;
    await bounce(email, 'ann@example.test', ['Message-ID: <rewritten@gateway.test>', references]);
    expect(await outcome(email)).toEqual({ status: 'bounced', reports: ['bounced ann@example.test'] });
  });

  it('is a complaint of the only recipient when a feedback report redacts the address', async () => {
    const email = await delivered(['ann@example.test']);
    const fields = ['Feedback-Type: abuse', 'Version: 1', 'Original-Rcpt-To: redacted'];
    const original = [`Message-ID: ${email.wireId}`];
    const raw = report(email.from, { type: 'feedback-report', fields, original }, [signed]);
    await cloud().sendMail({ from: '', to: email.from, raw });
    await cloud().waitForQuiescence();
    expect(await outcome(email)).toEqual({ status: 'complained', reports: ['complained ann@example.test'] });
  });

  it('changes nothing when the email has no such recipient', async () => {
    const email = await delivered(['ann@example.test']);
    await bounce(email, 'bob@example.test', [`Message-ID: ${email.wireId}`]);
    expect(await outcome(email)).toEqual({ status: 'delivered', reports: [] });
  });

  it.each([
    ['its SPF verdict is FAIL', { headers: [signed, 'X-Local-Spf-Verdict: FAIL'] }],
    ['its DKIM verdict is FAIL', { headers: ['X-Local-Dkim-Verdict: FAIL'] }],
    ['nothing proves its sender', { headers: [] }],
    ['a mailbox of the same domain sent it', { returnPath: 'eve@example.test' }],
  ])('changes nothing and is stored as an email when %s', async (_, given) => {
    const email = await delivered(['ann@example.test']);
    await bounce(email, 'ann@example.test', [`Message-ID: ${email.wireId}`], given);
    expect(await outcome(email)).toEqual({ status: 'delivered', reports: [] });
    expect((await email.client.get('/suppressions')).body.data).toEqual([]);
    const { data } = (await email.client.get('/emails?direction=inbound')).body;
    expect(data.map(({ category }) => category)).toEqual(['bounce']);
  });

  it('counts for the recipients of its own domain only when it names others, too', async () => {
    const email = await delivered(['ann@example.test', 'bob@other.test']);
    const fields = [...failure('ann@example.test', '5.1.1'), ...failure('bob@other.test', '5.1.1').slice(1)];
    const original = [`Message-ID: ${email.wireId}`];
    const raw = report(email.from, { type: 'delivery-status', fields, original }, [signed]);
    await cloud().sendMail({ from: '', to: email.from, raw });
    await cloud().waitForQuiescence();
    expect((await outcome(email)).reports).toEqual(['bounced ann@example.test']);
    const { data } = (await email.client.get('/suppressions')).body;
    expect(data.map(({ address }) => address)).toEqual(['ann@example.test']);
  });

  it('changes nothing when it arrives in another workspace', async () => {
    const [email, theirs] = [await delivered(['ann@example.test']), await workspace()];
    const elsewhere = { ...email, ours: theirs, from: `support@${theirs.providedDomain}` };
    await bounce(elsewhere, 'ann@example.test', [`Message-ID: ${email.wireId}`]);
    expect(await outcome(email)).toEqual({ status: 'delivered', reports: [] });
  });
});

describe('a mail loop', () => {
  const subjects = async (client: Api) =>
    (await client.get('/emails?direction=inbound')).body.data.map(({ subject }) => subject);

  it('is dropped when the message has more than 25 Received fields', async () => {
    const ours = await workspace();
    const to = `support@${ours.providedDomain}`;
    const mail = (subject: string, hops: number) =>
      lines(
        ...Array.from(
          { length: hops },
          () => 'Received: from a.test by b.test; Sat, 21 Nov 2026 09:00:00 +0000',
        ),
        'From: ann@example.test',
        `To: ${to}`,
        `Subject: ${subject}`,
        `Message-ID: <${subject}-${ours.slug}@example.test>`,
        '',
        'Hello',
      );
    await cloud().sendMail({ from: 'ann@example.test', to, raw: mail('circling', 40) });
    await cloud().sendMail({ from: 'ann@example.test', to, raw: mail('travelled', 10) });
    await cloud().waitForQuiescence();
    expect(await subjects(api(ours))).toEqual(['travelled']);
  });

  it('is dropped when our own mail is forwarded back to an address that it was not sent to', async () => {
    const email = await delivered(['ann@example.test']);
    await cloud().sendMail({
      from: 'ann@example.test',
      to: email.from,
      raw: lines(`From: ${email.from}`, 'To: ann@example.test', `Message-ID: ${email.wireId}`, '', 'Hello'),
    });
    await cloud().waitForQuiescence();
    expect(await subjects(email.client)).toEqual([]);
  });

  it('is not assumed when somebody else uses the Message-ID of our mail again', async () => {
    const email = await delivered(['ann@example.test']);
    const ownId = `<${email.id}@${email.ours.providedDomain}>`;
    const mail = (subject: string, messageId: string) =>
      lines(
        'From: eve@evil.test',
        `To: ${email.from}`,
        `Subject: ${subject}`,
        `Message-ID: ${messageId}`,
        '',
        'Hi',
      );
    const sent = { from: 'eve@evil.test', to: email.from };
    await cloud().sendMail({ ...sent, raw: mail('Own form', ownId) });
    await cloud().sendMail({ ...sent, raw: mail('Form of SES', email.wireId) });
    await cloud().waitForQuiescence();
    expect((await subjects(email.client)).toSorted()).toEqual(['Form of SES', 'Own form']);
  });

  it('is not assumed when mail is sent to ourselves, or when it is an auto-reply', async () => {
    const ours = await workspace();
    const [from, to] = [`a@${ours.providedDomain}`, `b@${ours.providedDomain}`];
    await api(ours).post('/emails', { from, to: [to], subject: 'Note', text: 'Hello' });
    await cloud().sendMail({
      from: 'ann@example.test',
      to: from,
      subject: 'Away',
      text: 'I am on vacation.',
      headers: { 'Auto-Submitted': 'auto-replied' },
    });
    await cloud().waitForQuiescence();
    expect((await subjects(api(ours))).sort()).toEqual(['Away', 'Note']);
  });
});
