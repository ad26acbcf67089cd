/** Every way to send through a mailbox, and what a new connection brings in (docs/concepts/sending.md#mailboxes). */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { now, timestamp } from '../../../lib/adapters/clock.ts';
import { put } from '../../faults/kit.ts';
import { type Api, api } from '../../support/api.ts';
import { cloud } from '../../support/cloud.ts';
import {
  type ConnectedMailbox,
  connectMailbox,
  disconnectAll,
  message,
  providers,
  settle,
} from '../../support/emulated-mailbox.ts';
import { type TestWorkspace, workspace } from '../../support/workspace.ts';

// Polls come every two minutes, so that hours would take long.
const pacedSeconds = 600;
/** Longer than a queue delays: a schedule waits. */
const laterSeconds = 1000;

const person = (): string => `p-${crypto.randomUUID().slice(0, 8)}@elsewhere.test`;

describe.each(providers)('a mailbox of %s', (provider) => {
  let own: TestWorkspace;
  let client: Api;
  let mailbox: ConnectedMailbox;
  beforeAll(async () => {
    own = await workspace();
    client = api(own);
    mailbox = await connectMailbox(own, provider);
  });
  afterAll(() => disconnectAll(client));

  const statusOf = async (id: unknown) => (await client.get(`/emails/${id}`)).body.status;
  /** The subjects and recipients of what the mailbox has sent. */
  const sentTo = async (address: string) =>
    (await mailbox.stored('sent')).filter(({ raw }) => raw.includes(address));

  it('sends a scheduled email at its time', async () => {
    const to = person();
    const at = timestamp(now() + laterSeconds * 1000);
    const email = { from: mailbox.address, to, subject: 'Later', text: 'Hi', scheduled_at: at };
    const { status, body } = await client.post('/emails', email);
    expect([status, body.status]).toEqual([201, 'scheduled']);
    await settle(laterSeconds - 100);
    expect(await sentTo(to)).toEqual([]);
    await settle(200);
    expect(await statusOf(body.id)).toBe('sent');
    expect(await sentTo(to)).toHaveLength(1);
  });

  it('holds email by pacing rules', async () => {
    const limit = { scope: 'from_address', amount: 1, per_seconds: pacedSeconds };
    const rule = await client.post('/pacing-rules', { name: 'Slow', match: [], kind: 'limit', limit });
    const to = [person(), person()];
    const ids: unknown[] = [];
    for (const one of to) {
      const email = { from: mailbox.address, to: one, subject: 'Paced', text: 'Hi' };
      ids.push((await client.post('/emails', email)).body.id);
    }
    await settle(1);
    expect([await statusOf(ids[0]), await statusOf(ids[1])]).toEqual(['sent', 'queued']);
    await settle(pacedSeconds + 60);
    expect(await statusOf(ids[1])).toBe('sent');
    await client.delete(`/pacing-rules/${rule.body.id}`);
  });

  it('keeps a scheduled email held when the message of its timer comes again', async () => {
    const limit = { scope: 'from_address', amount: 1, per_seconds: pacedSeconds };
    const rule = await client.post('/pacing-rules', { name: 'Slow', match: [], kind: 'limit', limit });
    const email = { from: mailbox.address, to: person(), subject: 'Paced', text: 'Hi' };
    await client.post('/emails', email);
    const scheduled = { ...email, to: person(), scheduled_at: timestamp(now() + 60_000) };
    const { id: emailId } = (await client.post('/emails', scheduled)).body;
    await settle(120);
    const timer = { kind: 'submit-mailbox-email', v: 1, workspaceId: own.id, emailId, chunk: null };
    await put('mailbox-submissions', JSON.stringify(timer));
    await settle();
    expect([await statusOf(emailId), await sentTo(scheduled.to)]).toEqual(['queued', []]);
    await settle(pacedSeconds + 60);
    expect([await statusOf(emailId), await sentTo(scheduled.to)]).toEqual(['sent', [expect.anything()]]);
    await client.delete(`/pacing-rules/${rule.body.id}`);
  });

  it('gives each recipient of optional mail a message and an unsubscribe link of its own', async () => {
    const to = [person(), person()];
    const html = '<p>News</p>';
    const email = { from: mailbox.address, to, subject: 'News', html, unsubscribe: true };
    const { body } = await client.post('/emails', email);
    await settle();
    expect(await statusOf(body.id)).toBe('sent');
    const mails = (await mailbox.stored('sent')).filter(({ subject }) => subject === 'News');
    expect(mails).toHaveLength(2);
    const links = mails.map(
      ({ raw }) => /^List-Unsubscribe: <([^>]+)>/im.exec(raw.replace(/\r\n\s+/g, ' '))?.[1],
    );
    expect(new Set(links).size).toBe(2);
    for (const one of to) expect(mails.filter(({ raw }) => raw.includes(one))).toHaveLength(1);
    await fetch(links[0] ?? '', { method: 'POST', body: 'List-Unsubscribe=One-Click' });
    const again = await client.post('/emails', { ...email, subject: 'More news' });
    expect(again.body.suppressed).toHaveLength(1);
  });

  it('leaves suppressed recipients out of the headers', async () => {
    const [kept, gone] = [person(), person()];
    await client.post('/suppressions', { addresses: [gone] });
    const email = { from: mailbox.address, to: [kept], cc: [gone], bcc: [gone], subject: 'Some', text: 'Hi' };
    const { body } = await client.post('/emails', email);
    expect(body.suppressed).toEqual([gone]);
    await settle();
    const [mail] = await sentTo(kept);
    expect(mail?.raw).not.toContain(gone);
  });

  it('refuses a message that its provider does not take, when it is sent', async () => {
    // Microsoft takes 3 MB, in base64; Google 35 MB, which the limit of all files never reaches.
    const file = { filename: 'a.bin', size: 2_400_000, content_type: 'application/octet-stream' };
    const { body: upload } = await client.post('/attachments', file);
    const headers = Object(upload.upload_headers);
    await fetch(String(upload.upload_url), { method: 'PUT', headers, body: Buffer.alloc(file.size) });
    const attachments = [{ attachment_id: upload.id }];
    const to = person();
    const email = { from: mailbox.address, to, subject: 'Large', text: 'Hi', attachments };
    const { status, body } = await client.post('/emails', email);
    if (provider === 'google') return expect(status).toBe(201);
    expect([status, body.code]).toEqual([413, 'attachments_too_large']);
    expect(body.detail).toContain('a mailbox of microsoft sends at most 3145728');
  });

  it('forwards a conversation, and answers with the outcome when a client waits', async () => {
    const subject = `Question ${crypto.randomUUID()}`;
    await mailbox.receive(message('Ben <ben@elsewhere.test>', mailbox.address, subject));
    await settle();
    const { body: threads } = await client.get(
      `/threads?mailbox=${encodeURIComponent(mailbox.address)}&query=${encodeURIComponent(subject)}`,
    );
    const [thread] = threads.data;
    const to = person();
    const forwarded = await client.post(`/threads/${thread?.id}/forward`, { to: [to] });
    expect([forwarded.status, forwarded.body.from]).toEqual([
      201,
      expect.objectContaining({ address: mailbox.address }),
    ]);
    await settle();
    expect(await sentTo(to)).toHaveLength(1);
    const email = { from: mailbox.address, to: person(), subject: 'Wait', text: 'Hi' };
    const waited = await client.post('/emails', email, { prefer: 'wait=10' });
    expect([waited.status, waited.body.status]).toEqual([201, 'sent']);
  });

  it('sends email and drafts of version 1', async () => {
    const [first, second] = [person(), person()];
    const mail = { from: mailbox.address, subject: 'Old', html: '<p>Hi</p>' };
    const { body: sent } = await client.post('/api/v1/emails/send', { ...mail, to: first });
    const { body: draft } = await client.post('/api/v1/emails/send', { ...mail, to: second, is_draft: true });
    await settle();
    expect(await sentTo(first)).toHaveLength(1);
    expect(await sentTo(second)).toEqual([]);
    expect((await client.post(`/api/v1/emails/${draft.emailId}/send`)).status).toBe(200);
    await settle();
    expect(await sentTo(second)).toHaveLength(1);
    expect([await statusOf(sent.emailId), await statusOf(draft.emailId)]).toEqual(['sent', 'sent']);
  });

  it('brings in the mail of the days before its connection, without events', async () => {
    const subject = `Before ${crypto.randomUUID()}`;
    const late = await connectMailbox(own, provider, {
      backfill_days: 7,
      before: async (receive) => {
        await receive(message('ben@elsewhere.test', 'x@y.test', subject));
        // Mail of the second of the connection counts as new.
        await cloud().advance(2);
      },
    });
    await settle();
    const { body } = await client.get(`/emails?query=${encodeURIComponent(subject)}`);
    expect(body.data).toEqual([expect.objectContaining({ direction: 'inbound' })]);
    const { body: events } = await client.get('/events?limit=100');
    const types = events.data.filter(({ data }) => Object(data).email_id === body.data[0]?.id);
    expect(types).toEqual([]);
    await client.delete(`/mailboxes/${late.id}`);
    await cloud().waitForQuiescence();
  });
});
