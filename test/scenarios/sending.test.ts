/** Sending through the API: recipients, statuses, idempotency, schedules, forwards. */
import { describe, expect, it } from 'vitest';
import { now } from '../../lib/adapters/clock.ts';
import { api } from '../support/api.ts';
import { cloud } from '../support/cloud.ts';
import { type TestWorkspace, workspace } from '../support/workspace.ts';

const body = (ours: TestWorkspace, more: Record<string, unknown> = {}) => ({
  from: `support@${ours.providedDomain}`,
  to: 'anna@example.test',
  subject: 'Hello',
  text: 'Hello Anna',
  ...more,
});

const addresses = (name: string) => Array.from({ length: 100 }, (_, at) => `${name}${at}@example.test`);

const soon = (days: number) => new Date(now() + days * 86_400_000).toISOString();

describe('a send', () => {
  it('is accepted when every field is at its limit', async () => {
    const ours = await workspace();
    const megabyte = 1024 * 1024;
    const sent = await api(ours).post(
      '/emails',
      body(ours, {
        to: addresses('to'),
        cc: addresses('cc'),
        bcc: addresses('bcc'),
        reply_to: addresses('reply'),
        subject: 's'.repeat(998),
        text: 'x'.repeat(2 * megabyte),
        html: 'x'.repeat(2 * megabyte),
        attachments: Array(20).fill({ filename: 'a.bin', content: Buffer.alloc(1).toString('base64') }),
        headers: { [`X-${'n'.repeat(198)}`]: 'v'.repeat(8000) },
        suppression_key: 'k'.repeat(256),
        scheduled_at: soon(29.99),
      }),
    );
    expect(sent.status, JSON.stringify(sent.body)).toBe(201);
  });

  it.each([
    ['more than 30 days ahead', soon(30.01)],
    ['in the past', '2020-01-01T00:00:00Z'],
  ])('is refused when its time is %s', async (_, scheduled_at) => {
    const ours = await workspace();
    const refused = await api(ours).post('/emails', body(ours, { scheduled_at }));
    expect(refused.status).toBe(422);
    expect(refused.body.code).toBe('invalid_request');
    expect((refused.body.issues as { path: string }[]).map((issue) => issue.path)).toContain('scheduled_at');
  });

  it('is sender_unknown when the workspace does not hold the domain, even if another one does', async () => {
    const [ours, theirs] = [await workspace(), await workspace()];
    for (const from of ['a@example.test', `a@${theirs.providedDomain}`]) {
      const refused = await api(ours).post('/emails', body(ours, { from }));
      expect({ status: refused.status, code: refused.body.code }).toEqual({
        status: 400,
        code: 'sender_unknown',
      });
    }
  });

  it('reaches every recipient once, names Bcc in the envelope only, and reads back unchanged', async () => {
    const ours = await workspace();
    const sent = await api(ours).post('/emails', {
      from: `"Ünï Support" <support@${ours.providedDomain}>`,
      to: ['Anna <anna@example.test>', 'ANNA@example.test'],
      cc: { name: 'Bo', address: 'bo@münchen.test' },
      bcc: ['secret@example.test'],
      subject: 'Grüße',
      html: '<p>Hello <b>you</b></p>',
      headers: { 'X-Campaign': 'autumn' },
      attachments: [{ filename: 'ü.txt', content: 'data:text/plain;base64,aGk=' }],
    });
    expect(sent.status).toBe(201);
    await cloud().waitForQuiescence();
    const full = await api(ours).get(`/emails/${sent.body.id}`);
    expect(full.body).toMatchObject({
      status: 'delivered',
      subject: 'Grüße',
      text: 'Hello you',
      to: [{ name: 'Anna', address: 'anna@example.test' }],
      cc: [{ name: 'Bo', address: 'bo@xn--mnchen-3ya.test' }],
      bcc: [{ name: null, address: 'secret@example.test' }],
      attachments: [{ filename: 'ü.txt', content_type: 'text/plain', size: 2 }],
    });
    const mine = (await cloud().sentTo('secret@example.test')).filter(({ from }) =>
      from.includes(ours.providedDomain),
    );
    expect(mine).toHaveLength(1);
    expect([...(mine[0]?.recipients ?? [])].sort()).toEqual(
      ['anna@example.test', 'bo@xn--mnchen-3ya.test', 'secret@example.test'].sort(),
    );
    const { raw } = await cloud().sent(mine[0]?.id ?? '');
    expect(raw).not.toContain('secret@example.test');
    expect(raw).toContain('X-Campaign: autumn');
  });

  it('is bounced or complained when SES reports it, with the recipient in events', async () => {
    const ours = await workspace();
    const client = api(ours);
    const [bounce, complaint] = await Promise.all([
      client.post('/emails', body(ours, { to: 'bounce@simulator.amazonses.com' })),
      client.post('/emails', body(ours, { to: 'complaint@simulator.amazonses.com' })),
    ]);
    await cloud().waitForQuiescence();
    for (const [email, status] of [
      [bounce, 'bounced'],
      [complaint, 'complained'],
    ] as const) {
      const full = await client.get(`/emails/${email.body.id}`);
      expect(full.body.status).toBe(status);
      const events = full.body.events as { type: string; recipients: string[] }[];
      expect(events.filter(({ type }) => type === status)).toHaveLength(1);
    }
  });

  it('waits until SES has accepted it when the request has Prefer: wait', async () => {
    const ours = await workspace();
    const client = api(ours);
    const waited = await client.post('/emails', body(ours), { prefer: 'wait=10' });
    expect(waited.status).toBe(201);
    expect(['sent', 'delivered']).toContain(waited.body.status);
  });
});

describe('an Idempotency-Key', () => {
  it('creates one email, replays the same body, refuses another body, and is scoped to the workspace', async () => {
    const [ours, theirs] = [await workspace(), await workspace()];
    const headers = { 'idempotency-key': 'order-1' };
    const first = await api(ours).post('/emails', body(ours), headers);
    const again = await api(ours).post(
      '/emails',
      { ...body(ours), from: { address: `support@${ours.providedDomain}` } },
      headers,
    );
    const other = await api(ours).post('/emails', body(ours, { text: 'Other' }), headers);
    const elsewhere = await api(theirs).post('/emails', body(theirs), headers);
    expect([first.status, again.status, other.status, elsewhere.status]).toEqual([201, 200, 409, 201]);
    expect(again.headers['idempotent-replayed']).toBe('true');
    expect(first.headers['idempotent-replayed']).toBeUndefined();
    expect(again.body.id).toBe(first.body.id);
    expect(first.body.idempotency_key).toBe('order-1');
    expect(other.body.code).toBe('idempotency_key_reused');
    await cloud().waitForQuiescence();
    const { body: page } = await api(ours).get('/emails');
    expect(page.data).toHaveLength(1);
  });

  it('lets one of three concurrent requests create and the others replay', async () => {
    const ours = await workspace();
    const headers = { 'idempotency-key': 'race' };
    const answers = await Promise.all([1, 2, 3].map(() => api(ours).post('/emails', body(ours), headers)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 201]);
    expect(new Set(answers.map(({ body: { id } }) => id)).size).toBe(1);
  });

  it.each([
    ['empty', ''],
    ['of 256 characters', 'k'.repeat(256)],
  ])('is invalid_idempotency_key when it is %s', async (_, key) => {
    const ours = await workspace();
    const refused = await api(ours).post('/emails', body(ours), { 'idempotency-key': key });
    expect({ status: refused.status, code: refused.body.code }).toEqual({
      status: 400,
      code: 'invalid_idempotency_key',
    });
  });
});

describe('a scheduled email', () => {
  it('can be rescheduled and canceled, and is not_scheduled afterwards', async () => {
    const ours = await workspace();
    const client = api(ours);
    const scheduled = await client.post('/emails', body(ours, { scheduled_at: soon(1) }));
    expect(scheduled.body.status).toBe('scheduled');
    const later = soon(2);
    const moved = await client.patch(`/emails/${scheduled.body.id}`, { scheduled_at: later });
    expect(moved.body).toMatchObject({ status: 'scheduled', scheduled_at: later });
    const canceled = await client.post(`/emails/${scheduled.body.id}/cancel`);
    expect(canceled.body.status).toBe('canceled');
    for (const again of [
      await client.post(`/emails/${scheduled.body.id}/cancel`),
      await client.patch(`/emails/${scheduled.body.id}`, { scheduled_at: later }),
    ]) {
      expect({ status: again.status, code: again.body.code }).toEqual({ status: 409, code: 'not_scheduled' });
    }
  });
});

describe('a forward', () => {
  it('starts a thread with the note, the stripped messages and the files', async () => {
    const ours = await workspace();
    const client = api(ours);
    const from = `support@${ours.providedDomain}`;
    await cloud().sendMail({
      from: 'anna@example.test',
      to: from,
      subject: 'Broken lamp',
      text: 'It broke.\n\n-- \nAnna\nLamp Street 1',
      attachments: [{ filename: 'lamp.txt', content: 'a picture' }],
    });
    await cloud().waitForQuiescence();
    const { body: threads } = await client.get('/threads');
    const thread = threads.data[0];
    const forwarded = await client.post(`/threads/${thread?.id}/forward`, {
      to: 'expert@example.test',
      note: 'See below.',
    });
    expect(forwarded.status, JSON.stringify(forwarded.body)).toBe(201);
    expect(forwarded.body.subject).toBe('Fwd: Broken lamp');
    await cloud().waitForQuiescence();
    const full = await client.get(`/emails/${forwarded.body.id}`);
    expect(full.body.text).toMatch(/^See below\.\n[\s\S]*From: anna@example\.test[\s\S]*It broke\./);
    expect(full.body.text).not.toContain('Lamp Street');
    expect(full.body.attachments).toMatchObject([{ filename: 'lamp.txt', size: 9 }]);
    const own = await client.get(`/threads/${forwarded.body.thread_id}`);
    expect(own.body.forward_of).toBe(thread?.id);
  });

  it('is thread_empty when the thread has no sent or received message', async () => {
    const ours = await workspace();
    const client = api(ours);
    const scheduled = await client.post('/emails', body(ours, { scheduled_at: soon(1) }));
    const refused = await client.post(`/threads/${scheduled.body.thread_id}/forward`, {
      to: 'a@example.test',
    });
    expect({ status: refused.status, code: refused.body.code }).toEqual({
      status: 409,
      code: 'thread_empty',
    });
  });
});
