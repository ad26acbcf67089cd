/** What mail of a connected mailbox does, at any emulated provider (docs/concepts/mailboxes.md#mail-in). */
import { expect, onTestFinished } from 'vitest';
import { type Api, api } from '../../support/api.ts';
import {
  connectMailbox,
  disconnectAll,
  message,
  type Provider,
  settle,
} from '../../support/emulated-mailbox.ts';
import { workspace } from '../../support/workspace.ts';

/** Emails of a subject, oldest first. */
async function emailsOf(client: Api, subject: string) {
  const { body } = await client.get(`/emails?limit=100&query=${encodeURIComponent(subject)}`);
  return [...body.data].map((one) => Object(one)).toSorted((a, b) => (a.id < b.id ? -1 : 1));
}

/** A mailbox in a workspace of its own, until the test ends: each move of the clock would go through its polls. */
async function connected(provider: Provider) {
  const own = await workspace();
  const client = api(own);
  onTestFinished(() => disconnectAll(client));
  return { own, client, mailbox: await connectMailbox(own, provider) };
}

/** New mail comes in once, and mail that its owner sends is outbound mail of the thread. */
export async function bringsInMail(provider: Provider): Promise<void> {
  const { client, mailbox } = await connected(provider);
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
  const emails = await emailsOf(client, subject);
  expect(emails.map(({ direction, status, subject: shown }) => [direction, status, shown])).toEqual([
    ['inbound', 'received', subject],
    ['outbound', 'sent', `Re: ${subject}`],
  ]);
  expect(new Set(emails.map(({ thread_id }) => thread_id)).size).toBe(1);
  const { body } = await client.get(`/mailboxes/${mailbox.id}`);
  expect(body.last_sync_at).toEqual(expect.stringMatching(/Z$/));
}

/** An email that it sends is linked to the copy in its sent mail, and the conversation continues. */
export async function sendsMail(provider: Provider): Promise<void> {
  const { own, client, mailbox } = await connected(provider);
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
  const all = await emailsOf(client, subject);
  const outbound = all.filter(({ direction }) => direction === 'outbound');
  expect(outbound.map(({ status: state }) => state)).toEqual(['sent', 'sent']);
  expect(new Set(outbound.map(({ thread_id }) => thread_id)).size).toBe(1);
}
