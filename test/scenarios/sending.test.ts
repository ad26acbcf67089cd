/** Sending through the API: recipients, statuses, idempotency, schedules, forwards. */
import { describe, expect, it } from 'vitest';
import { now } from '../../lib/adapters/clock.ts';
import { api } from '../support/api.ts';
import { cloud } from '../support/cloud.ts';
import { verifiedDomain } from '../support/verified-domain.ts';
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

  it('accepts a time in lower case', async () => {
    const ours = await workspace();
    const sent = await api(ours).post('/emails', body(ours, { scheduled_at: soon(1).toLowerCase() }));
    expect(sent).toMatchObject({ status: 201, body: { status: 'scheduled' } });
  });

  it('reads an empty name as no name', async () => {
    const ours = await workspace();
    const from = { name: '', address: `desk@${ours.providedDomain}` };
    expect((await api(ours).post('/emails', body(ours, { from }))).body.from).toEqual({
      ...from,
      name: null,
    });
  });

  it('divides its text into what was written, quotes and signature', async () => {
    const ours = await workspace();
    const text =
      'Yes.\n\n-- \nAnna\n\nOn Mon, 2 Nov 2026 at 10:00, Bo <bo@example.test> wrote:\n> Is it on its way?\n';
    const sent = await api(ours).post('/emails', body(ours, { text }));
    const { body: read } = await api(ours).get(`/emails/${sent.body.id}`);
    expect(read).toMatchObject({ text, stripped_text: 'Yes.' });
    expect(read.segments).toEqual([
      { kind: 'written', text: 'Yes.' },
      { kind: 'signature', text: expect.stringContaining('Anna') },
      { kind: 'quoted', text: expect.stringContaining('Is it on its way?') },
    ]);
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
      to: ['anna@example.test'],
      cc: ['bo@xn--mnchen-3ya.test'],
      bcc: ['secret@example.test'],
      message_id: sent.body.message_id,
      wire_message_ids: [expect.stringMatching(/^<.+amazonses\.com>$/)],
      headers: [
        { name: 'To', value: 'Anna <anna@example.test>' },
        { name: 'Cc', value: 'Bo <bo@xn--mnchen-3ya.test>' },
        { name: 'X-Campaign', value: 'autumn' },
      ],
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
    expect(waited.headers['preference-applied']).toBe('wait=10');
    const longer = await client.post('/emails', body(ours), { prefer: 'wait=3600', 'idempotency-key': 'a' });
    expect(longer.headers['preference-applied']).toBe('wait=20');
    const replayed = await client.post('/emails', body(ours), { prefer: 'wait=5', 'idempotency-key': 'a' });
    expect([replayed.status, replayed.headers['preference-applied']]).toEqual([200, undefined]);
  });
});

describe('an Idempotency-Key', () => {
  it('replays when the body differs only in defaults, empty lists and the order of fields', async () => {
    const ours = await workspace();
    const headers = { 'idempotency-key': 'same' };
    const first = await api(ours).post('/emails', body(ours), headers);
    const same = { reply_to: [], attachments: [], html: '', unsubscribe: false, ...body(ours, { cc: [] }) };
    const second = await api(ours).post('/emails', same, headers);
    expect(second).toMatchObject({ status: 200, body: { id: first.body.id } });
  });

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

  it('replays a send and a reply when the domain of the sender is deleted meanwhile, and no other body', async () => {
    const ours = await workspace();
    const client = api(ours);
    const domain = await verifiedDomain(client, null);
    const request = { ...body(ours), from: `desk@${domain.name}` };
    const sent = await client.post('/emails', request, { 'idempotency-key': 'send' });
    const reply = `/threads/${sent.body.thread_id}/reply`;
    const answered = await client.post(reply, { text: 'More' }, { 'idempotency-key': 'reply' });
    expect([sent.status, answered.status]).toEqual([201, 201]);
    expect((await client.delete(`/domains/${domain.id}`)).status).toBe(204);
    const again = await client.post('/emails', request, { 'idempotency-key': 'send' });
    expect(again).toMatchObject({ status: 200, body: { id: sent.body.id, suppressed: [] } });
    expect(again.headers['idempotent-replayed']).toBe('true');
    expect(await client.post(reply, { text: 'More' }, { 'idempotency-key': 'reply' })).toMatchObject({
      status: 200,
      body: { id: answered.body.id },
    });
    const other = await client.post('/emails', { ...request, text: 'Other' }, { 'idempotency-key': 'send' });
    expect(other.body.code).toBe('sender_unknown');
    expect((await client.post('/emails', request)).body.code).toBe('sender_unknown');
  });

  it("replays a reply in the space of its thread when the space's domain is deleted meanwhile", async () => {
    const ours = await workspace();
    const client = api(ours);
    const { body: space } = await client.post('/spaces', { name: 'Acme' });
    const domain = await verifiedDomain(client, String(space.id));
    const sent = await client.post('/emails', { ...body(ours), from: `desk@${domain.name}` });
    const reply = `/threads/${sent.body.thread_id}/reply`;
    const answered = await client.post(reply, { text: 'More' }, { 'idempotency-key': 'key' });
    expect(answered.status).toBe(201);
    expect((await client.delete(`/domains/${domain.id}`)).status).toBe(204);
    const again = await client.post(reply, { text: 'More' }, { 'idempotency-key': 'key' });
    expect(again).toMatchObject({ status: 200, body: { id: answered.body.id, space_id: space.id } });
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

  it('is refused when the files of the thread exceed the limit', async () => {
    const ours = await workspace();
    const client = api(ours);
    const attachments = Array.from({ length: 11 }, (_, at) => ({ filename: `${at}.txt`, content: 'aGk=' }));
    const sent = await client.post('/emails', body(ours, { attachments }));
    const forward = `/threads/${sent.body.thread_id}/forward`;
    const files = { to: 'a@example.test', attachments: attachments.slice(1) };
    const refused = await client.post(forward, files);
    expect(refused).toMatchObject({
      status: 422,
      body: { code: 'invalid_request', issues: [{ path: 'include_attachments' }] },
    });
    expect((await client.post(forward, { ...files, include_attachments: false })).status).toBe(201);
  });
});

describe('a reply', () => {
  it('is thread_empty without to when the thread has no sent or received message', async () => {
    const ours = await workspace();
    const client = api(ours);
    const scheduled = await client.post('/emails', body(ours, { scheduled_at: soon(1) }));
    const path = `/threads/${scheduled.body.thread_id}/reply`;
    const refused = await client.post(path, { text: 'Hello' });
    expect(refused).toMatchObject({ status: 409, body: { code: 'thread_empty' } });
    expect((await client.post(path, { text: 'Hello', to: 'a@example.test' })).status).toBe(201);
  });

  it('is too_many_recipients when reply_all would reach more than 100', async () => {
    const ours = await workspace();
    const from = `desk@${ours.providedDomain}`;
    const others = Array.from({ length: 101 }, (_, at) => `p${at}@${ours.slug}.example.test`);
    const raw = `From: anna@example.test\r\nTo: ${from},\r\n ${others.join(',\r\n ')}\r\nSubject: All\r\n\r\nHello\r\n`;
    await cloud().sendMail({ from: 'anna@example.test', to: from, raw });
    await cloud().waitForQuiescence();
    const [received] = (await api(ours).get('/emails')).body.data;
    const path = `/threads/${received?.thread_id}/reply`;
    const refused = await api(ours).post(path, { text: 'Hello', reply_all: true });
    expect(refused).toMatchObject({
      status: 400,
      body: { code: 'too_many_recipients', issues: [{ path: 'to' }] },
    });
    expect((await api(ours).post(path, { text: 'Hello' })).status).toBe(201);
  });
});
