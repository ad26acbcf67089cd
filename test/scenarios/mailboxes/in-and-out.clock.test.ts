/** Mail of connected mailboxes, in and out, at both emulated providers (docs/concepts/mailboxes.md#mail-in). */
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type Api, api } from '../../support/api.ts';
import { connectMailbox, disconnectAll, message, providers, settle } from '../../support/emulated-mailbox.ts';
import { type TestWorkspace, workspace } from '../../support/workspace.ts';

let own: TestWorkspace;
let client: Api;

beforeAll(async () => {
  own = await workspace();
  client = api(own);
});
// Each move of the clock would go through their polls.
afterEach(() => disconnectAll(client));

/** Emails of a subject, oldest first. */
async function emailsOf(subject: string) {
  const { body } = await client.get(`/emails?limit=100&query=${encodeURIComponent(subject)}`);
  return [...body.data].map((one) => Object(one)).toSorted((a, b) => (a.id < b.id ? -1 : 1));
}

describe.each(providers)('a mailbox of %s', (provider) => {
  it('brings in new mail once, and mail that its owner sends as outbound mail of the thread', async () => {
    const mailbox = await connectMailbox(own, provider);
    const subject = `Question ${crypto.randomUUID()}`;
    const question = message('Ben <ben@elsewhere.test>', mailbox.address, subject);
    const id = /Message-ID: (\S+)/.exec(question)?.[1];
    await mailbox.receive(question);
    await settle();
    const cites = `In-Reply-To: ${id}\r\nReferences: ${id}\r\n`;
    await mailbox.send(message(mailbox.address, 'ben@elsewhere.test', `Re: ${subject}`, cites));
    await settle();
    await client.post(`/mailboxes/${mailbox.id}/sync`);
    await settle();
    const emails = await emailsOf(subject);
    expect(emails.map(({ direction, status, subject: shown }) => [direction, status, shown])).toEqual([
      ['inbound', 'received', subject],
      ['outbound', 'sent', `Re: ${subject}`],
    ]);
    expect(new Set(emails.map(({ thread_id }) => thread_id)).size).toBe(1);
    const { body } = await client.get(`/mailboxes/${mailbox.id}`);
    expect(body.last_sync_at).toEqual(expect.stringMatching(/Z$/));
  });

  it('sends an email, which is linked to the copy in its sent mail, and continues its conversation', async () => {
    const mailbox = await connectMailbox(own, provider);
    const subject = `Offer ${crypto.randomUUID()}`;
    const to = `hi@${own.providedDomain}`;
    const { status, body } = await client.post('/emails', {
      from: mailbox.address,
      to: [to],
      subject,
      text: 'Hi',
    });
    expect(status).toBe(201);
    await settle();
    expect((await client.get(`/emails/${body.id}`)).body).toMatchObject({
      status: 'sent',
      from: { address: mailbox.address },
    });
    await client.post(`/threads/${body.thread_id}/reply`, { text: 'One more thing', to: [to] });
    await settle();
    await settle();
    const sent = await mailbox.stored('sent');
    expect(sent.map((one) => one.subject).sort()).toEqual([subject, `Re: ${subject}`].sort());
    const all = await emailsOf(subject);
    const outbound = all.filter(({ direction }) => direction === 'outbound');
    expect(outbound.map(({ status: state }) => state)).toEqual(['sent', 'sent']);
    expect(new Set(outbound.map(({ thread_id }) => thread_id)).size).toBe(1);
  });
});
