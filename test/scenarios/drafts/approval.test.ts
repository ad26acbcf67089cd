/** Drafts through the API: written, edited, approved, discarded (docs/concepts/drafts.md). */
import { describe, expect, it } from 'vitest';
import { api } from '../../support/api.ts';
import { cloud } from '../../support/cloud.ts';
import { workspace } from '../../support/workspace.ts';

/** A workspace with a key that writes drafts and one that approves them. */
export async function writing() {
  const own = await workspace();
  const [writer, approver] = [api(await own.keyOf('draft')), api(await own.keyOf('sending'))];
  const to = `anna@${own.slug}.example.test`;
  const mail = { from: `desk@${own.providedDomain}`, to, subject: 'Your order', text: 'It is on its way.' };
  /** The messages that have left, whole. */
  const left = async () => {
    await cloud().waitForQuiescence();
    const mails = await Promise.all((await cloud().sentTo(to)).map(({ id }) => cloud().sent(id)));
    return mails.map(({ raw }) => raw);
  };
  const events = async () => {
    await cloud().waitForQuiescence();
    const { body } = await api(own).get('/events?order=asc');
    return body.data.map(({ type, data }) => ({ type, data }));
  };
  return { own, writer, approver, mail, to, left, events };
}

describe('a draft', () => {
  it('is written by a key that cannot send, and leaves once it is approved', async () => {
    const { writer, approver, mail, left, events } = await writing();
    const { status, body: draft } = await writer.post('/emails', mail, { prefer: 'wait=5' });
    expect([status, draft.status, draft.suppressed, draft.pacing]).toEqual([201, 'draft', [], null]);
    expect(draft.draft).toMatchObject({ version: 1, edited_by: null, approved_by: null, original: null });
    expect(await left()).toEqual([]);
    expect((await writer.get('/emails')).body.data).toEqual([]);
    expect((await writer.get('/emails?status=draft')).body.data.map(({ id }) => id)).toEqual([draft.id]);
    expect((await writer.get(`/threads/${draft.thread_id}`)).status).toBe(404);
    const { body: shown } = await writer.get(`/emails/${draft.id}`);
    expect(shown).toMatchObject({ status: 'draft', text: mail.text, events: [] });

    const path = `/emails/${draft.id}/approve`;
    expect((await writer.post(path, { version: 1 })).body.code).toBe('forbidden');
    const { body: accepted, status: ok } = await approver.post(path, { version: 1 });
    expect([ok, accepted.id, accepted.thread_id, accepted.status]).toEqual([
      200,
      draft.id,
      draft.thread_id,
      'queued',
    ]);
    expect(await left()).toHaveLength(1);
    const again = await approver.post(path, { version: 1 });
    expect([again.status, again.headers['idempotent-replayed']]).toEqual([200, 'true']);
    expect(await left()).toHaveLength(1);
    const { body: email } = await approver.get(`/emails/${draft.id}`);
    expect(email).toMatchObject({
      status: 'delivered',
      message_id: draft.message_id,
      draft: { version: 1, expires_at: null, original: null, approved_by: expect.stringMatching(/^key_/) },
    });
    expect((await writer.get('/emails?status=draft')).body.data).toEqual([]);
    const types = (await events()).map(({ type }) => type);
    expect(types.slice(0, 1)).toEqual(['email.drafted']);
    expect(types.sort()).toEqual([
      'email.approved',
      'email.delivered',
      'email.drafted',
      'email.sent',
      'thread.created',
    ]);
  });

  it('is sent in the version that its approver has seen', async () => {
    const { writer, approver, mail, left } = await writing();
    const { body: draft } = await writer.post('/emails', mail);
    const edit = { version: 1, subject: 'Your second order', html: '<p>It is <b>late</b>.</p>' };
    const { body: edited } = await approver.patch(`/emails/${draft.id}`, edit);
    expect(edited).toMatchObject({ subject: edit.subject, snippet: 'It is late.', draft: { version: 2 } });
    expect((await writer.patch(`/emails/${draft.id}`, edit)).body.code).toBe('draft_changed');
    const { body: shown } = await approver.get(`/emails/${draft.id}`);
    expect(shown).toMatchObject({
      text: 'It is late.',
      html: edit.html,
      draft: {
        version: 2,
        original: { subject: mail.subject, text: mail.text, html: null, to: [mail.to], truncated: false },
      },
    });
    const stale = await approver.post(`/emails/${draft.id}/approve`, { version: 1 });
    expect([stale.status, stale.body.code]).toEqual([409, 'draft_changed']);
    expect(await left()).toEqual([]);
    expect((await approver.post(`/emails/${draft.id}/approve`, { version: 2 })).status).toBe(200);
    expect(await left()).toEqual([expect.stringMatching(/^Subject: Your second order$/m)]);
  });

  it('is discarded for good', async () => {
    const { writer, approver, mail, left, events } = await writing();
    const { body: draft } = await writer.post('/emails', mail);
    const { body: canceled } = await writer.post(`/emails/${draft.id}/cancel`);
    expect(canceled).toMatchObject({
      status: 'canceled',
      cancellation: { reason: 'discarded', by: expect.stringMatching(/^key_/), by_email_id: null },
    });
    expect((await approver.post(`/emails/${draft.id}/approve`, {})).body.code).toBe('not_draft');
    expect((await writer.patch(`/emails/${draft.id}`, { text: 'x' })).body.code).toBe('not_draft');
    expect((await writer.get(`/emails/${draft.id}`)).body).toMatchObject({
      status: 'canceled',
      text: mail.text,
    });
    expect((await writer.get('/emails?status=draft')).body.data).toEqual([]);
    expect(await left()).toEqual([]);
    expect(await events()).toMatchObject([
      { type: 'email.drafted' },
      { type: 'email.canceled', data: { reason: 'discarded' } },
    ]);
  });
});
