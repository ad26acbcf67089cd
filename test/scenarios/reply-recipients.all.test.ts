/** To whom replies go after bounces, mail that fails DMARC, and forgeries (docs/concepts/threads.md#default-recipients). */
import { describe, expect, it } from 'vitest';
import { hostOf } from '../../lib/mail/addresses/addresses.ts';
import { changeSettings } from '../../lib/services/workspaces/workspaces.ts';
import { api } from '../support/api.ts';
import { cloud, type MailIn } from '../support/cloud.ts';
import { connectMailbox, disconnectAll } from '../support/emulated-mailbox.ts';
import { type TestWorkspace, workspace } from '../support/workspace.ts';

const anna = 'anna@answered.test';
const forger = 'forger@answers.test';

/** A thread with an email to Anna, and what then arrives there. */
async function threadWith(own: TestWorkspace, mail: (sent: Sent) => Omit<MailIn, 'to'>) {
  const client = api(own);
  const desk = `support@${own.providedDomain}`;
  const { body: first } = await client.post('/emails', {
    from: desk,
    to: anna,
    subject: 'Order 7',
    text: 'Hi',
  });
  await cloud().waitForQuiescence();
  const { body: sent } = await client.get(`/emails/${first.id}`);
  await cloud().sendMail({ ...mail({ desk, messageId: String(sent.message_id) }), to: desk });
  await cloud().waitForQuiescence();
  const path = `/emails?thread_id=${first.thread_id}&direction=inbound`;
  const [received] = (await client.get(path)).body.data;
  const reply = (body: object) => client.post(`/threads/${first.thread_id}/reply`, { text: 'So?', ...body });
  const replyInV1 = (id: string, body: object = {}) =>
    client.post(`/api/v1/emails/${id}/reply`, { from: desk, html: 'So?', ...body });
  return { client, desk, sentId: first.id, received, reply, replyInV1 };
}

interface Sent {
  readonly desk: string;
  readonly messageId: string;
}

const bounce = ({ messageId }: Sent): Omit<MailIn, 'to'> => ({
  from: 'mailer-daemon@mx.customer.test',
  subject: 'Undelivered Mail Returned to Sender',
  text: 'I could not deliver your message: mailbox full.',
  inReplyTo: messageId,
  headers: { 'Auto-Submitted': 'auto-replied' },
});
const failing = ({ messageId }: Sent): Omit<MailIn, 'to'> => ({
  from: anna,
  subject: 'Re: Order 7',
  text: 'Pay here',
  inReplyTo: messageId,
  headers: { 'X-Local-Dmarc-Verdict': 'FAIL', 'Reply-To': forger },
});
const ourOwn = ({ desk, messageId }: Sent): Omit<MailIn, 'to'> => ({
  from: `colleague@${hostOf(desk).toUpperCase()}`,
  subject: 'Re: Order 7',
  text: 'I take this one',
  inReplyTo: messageId,
});
const forged = (): Omit<MailIn, 'to'> => ({
  from: anna,
  subject: 'Re: Order 7',
  text: 'Pay here',
  headers: { 'Reply-To': forger },
});

describe('the default recipients of a reply', () => {
  it.each([
    ['a bounce', bounce, {}, { category: 'bounce' }],
    ['mail that fails DMARC', failing, {}, {}],
    ['mail that fails DMARC and is accepted', failing, { dmarc: 'accept' as const }, {}],
    ['mail of a colleague', ourOwn, {}, {}],
  ])(
    'are those of the sent message, and version 1 asks for them, after %s',
    async (_, mail, inboundPolicy, fields) => {
      const own = await workspace();
      await changeSettings(own.id, { inboundPolicy });
      const { received, sentId, reply, replyInV1 } = await threadWith(own, mail);
      expect(received).toMatchObject(fields);
      expect(await reply({})).toMatchObject({ status: 201, body: { to: [anna] } });
      expect(await reply({ reply_all: true })).toMatchObject({ status: 201, body: { to: [anna] } });
      const refused = await replyInV1(received?.id ?? '');
      expect(refused).toMatchObject({ status: 400, body: { code: 'BAD_REQUEST' } });
      expect(refused.body.message).toMatch(/Name the recipients in `to`/);
      expect((await replyInV1(received?.id ?? '', { to: anna })).status).toBe(200);
      expect((await replyInV1(sentId)).status).toBe(200);
      await cloud().waitForQuiescence();
      expect(await cloud().sentTo(forger)).toEqual([]);
    },
  );

  it('are the author and not an unproven Reply-To after a forgery', async () => {
    const { client, received, reply, replyInV1 } = await threadWith(await workspace(), forged);
    const full = await client.get(`/emails/${received?.id}`);
    expect(full.body).toMatchObject({ reply_to: [forger], verdicts: { dkim: 'GRAY', dmarc: 'GRAY' } });
    expect((await reply({})).body.to).toEqual([anna]);
    const { body } = await replyInV1(received?.id ?? '');
    expect((await client.get(`/emails/${body.emailId}`)).body.to).toEqual([anna]);
  });

  it('are nobody, and nothing is sent, when the workspace talks to itself without naming `to`', async () => {
    const own = await workspace();
    const client = api(own);
    const desk = `support@${own.providedDomain}`;
    const { body } = await client.post('/emails', { from: desk, to: desk, subject: 'Note', text: 'Hi' });
    await cloud().waitForQuiescence();
    const reply = async (more: object) =>
      await client.post(`/threads/${body.thread_id}/reply`, { text: 'So?', ...more });
    const refused = await reply({ reply_all: true });
    expect(refused).toMatchObject({ status: 400, body: { code: 'no_recipients' } });
    expect(refused.body.detail).toMatch(/Name the recipients in `to`/);
    expect(await reply({ to: desk })).toMatchObject({ status: 201, body: { to: [desk] } });
  });

  it('leave out the mailboxes of every space when reply_all is set', async () => {
    const own = await workspace();
    const client = api(own);
    const { body: space } = await client.post('/spaces', { name: 'Acme' });
    const [desk, other] = await Promise.all([
      connectMailbox(own, 'google'),
      connectMailbox(own, 'google', { space_id: space.id }),
    ]);
    const to = `sales@${own.providedDomain}`;
    const raw = [
      'From: ann@buyer.test',
      `To: ${to}, ${desk.address.replace('@', '+vip@')}, bo@buyer.test`,
      `Cc: ${desk.address.toUpperCase()}, ${other.address}, cy@buyer.test`,
      'Subject: All',
      '',
      'Hello',
      '',
    ].join('\r\n');
    await cloud().sendMail({ from: 'ann@buyer.test', to, raw });
    await cloud().waitForQuiescence();
    const [received] = (await client.get('/emails')).body.data;
    const { body: reply } = await client.post(`/threads/${received?.thread_id}/reply`, {
      text: 'Soon',
      reply_all: true,
    });
    const { body: sent } = await client.get(`/emails/${reply.id}`);
    expect(sent).toMatchObject({ to: ['ann@buyer.test', 'bo@buyer.test'], cc: ['cy@buyer.test'] });
    await disconnectAll(client);
  });
});
