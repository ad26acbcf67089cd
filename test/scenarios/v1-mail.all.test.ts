/** Version 1 through a strict client that is generated from its document: mail, threads, drafts. */
import { describe, expect, it } from 'vitest';
import { newId } from '../../lib/adapters/ids.ts';
import { api } from '../support/api.ts';
import { cloud } from '../support/cloud.ts';
import { v1Client } from '../support/v1-client.ts';
import { workspace } from '../support/workspace.ts';

const html = '<p>It is on its way.</p>';

async function begin() {
  const own = await workspace();
  const from = `support@${own.providedDomain}`;
  const v1 = v1Client(own);
  const send = async (more: object = {}) => {
    const mail = { from, to: 'anna@example.test', subject: 'Your order', html };
    const { status, body } = await v1('sendEmail', { ...mail, ...more });
    expect([status, body]).toEqual([200, expect.anything()]);
    return body as { emailId: string; threadId: string; messageId: string };
  };
  /** The raw message that SES accepted for an address. */
  const wireTo = async (address: string) => {
    await cloud().waitForQuiescence();
    const all = await cloud().sentTo(address);
    const mine = all.filter((mail) => mail.from.includes(from));
    return await Promise.all(mine.map((mail) => cloud().sent(mail.id)));
  };
  return { own, from, v1, v2: api(own), send, wireTo };
}

describe('a send of version 1', () => {
  it('has the recipients, sender name, files and headers that it was given', async () => {
    const { v1, send, from, wireTo, own } = await begin();
    const inReplyTo = `order-1-${own.slug}@shop.example`;
    const { emailId, threadId, messageId } = await send({
      to: ['Anna <anna@example.test>', 'ben@example.test'],
      cc: 'cy@example.test',
      bcc: ['dora@example.test'],
      reply_to: 'answers@example.test',
      from_name: 'Support, Acme',
      text: 'It is on its way.',
      in_reply_to: inReplyTo,
      references: [`<root@shop.example>`, `<${inReplyTo}>`],
      attachments: [
        { file_name: 'a.txt', content: 'data:text/plain;base64,SGVsbG8=' },
        { file_name: 'b.png', content: 'iVBORw0KGgo=', content_type: 'image/png', disposition: 'inline' },
      ],
    });
    const { body: email } = await v1('retrieveEmail', emailId);
    expect(email).toMatchObject({
      id: emailId,
      threadId,
      messageId,
      direction: 'OUTBOUND',
      status: expect.stringMatching(/^(QUEUED|ACCEPTED|SENT)$/),
      fromName: 'Support, Acme',
      fromAddress: from,
      toAddresses: ['anna@example.test', 'ben@example.test'],
      ccAddresses: ['cy@example.test'],
      bccAddresses: ['dora@example.test'],
      replyToAddresses: ['answers@example.test'],
      inReplyToId: `<${inReplyTo}>`,
      subject: 'Your order',
      receivedAt: null,
    });
    expect(email.references.slice(0, 2)).toEqual(['<root@shop.example>', `<${inReplyTo}>`]);
    expect(email.attachments).toMatchObject([
      { fileName: 'a.txt', contentType: 'text/plain', sizeInBytes: 5, disposition: 'attachment' },
      { fileName: 'b.png', contentType: 'image/png', disposition: 'inline' },
    ]);
    expect(await (await fetch(email.attachments[0].signedUrl)).text()).toBe('Hello');
    const [mail] = await wireTo('anna@example.test');
    expect(mail?.raw).toMatch(/^From: "Support, Acme" </m);
    expect(mail?.raw).toMatch(/^In-Reply-To: <order-1-/m);
    expect(mail?.raw).toMatch(/Content-Disposition: inline; filename=b.png/);
    expect(mail?.raw).not.toContain('dora@');
  });

  it.each([
    ['on', { track_opens: true, track_clicks: true }, true],
    ['off', { track_opens: false, track_clicks: false }, false],
  ])('is tracked as its flags say when they switch tracking %s', async (_, flags, isTracked) => {
    const { own, v2, send, wireTo } = await begin();
    const [domain] = (await v2.get('/domains')).body.data;
    const tracking = { track_opens: !isTracked, track_clicks: !isTracked };
    expect((await v2.patch(`/domains/${domain?.id}`, tracking)).status).toBe(200);
    const to = `tracked@${own.slug}.example.test`;
    const page = '<p><a href="https://acme.dev/orders">Orders</a></p>';
    await send({ to, html: page, ...flags });
    await send({ to, html: page, ...flags, is_draft: true });
    const [mail, ...more] = await wireTo(to);
    expect(more).toEqual([]);
    expect(/\/t\/o\//.test(mail?.raw ?? '')).toBe(isTracked);
    expect(/\/t\/c\//.test(mail?.raw ?? '')).toBe(isTracked);
  });

  it('joins the thread of the email that in_reply_to names, in every form of its id', async () => {
    const { v1, send } = await begin();
    const first = await send();
    await cloud().waitForQuiescence();
    const byOwnId = await send({ in_reply_to: first.messageId });
    const byReferences = await send({ references: [first.messageId] });
    const bare = await send({ in_reply_to: first.messageId.slice(1, -1), subject: 'Another subject' });
    for (const { threadId } of [byOwnId, byReferences, bare]) expect(threadId).toBe(first.threadId);
    expect((await send({ in_reply_to: '<unknown@example.test>' })).threadId).not.toBe(first.threadId);
    const { body: reply } = await v1('retrieveEmail', byOwnId.emailId);
    expect([reply.inReplyToId, reply.references]).toEqual([first.messageId, [first.messageId]]);
  });

  it('answers BAD_REQUEST with an issue when a field is invalid', async () => {
    const { v1, from } = await begin();
    const valid = { from, to: 'anna@example.test', subject: 'S', html };
    const cases: readonly [object, string][] = [
      [{ html: '' }, 'html'],
      [{ html: undefined }, 'html'],
      [{ to: [] }, 'to'],
      [{ to: ['anna@example.test', 'nobody'] }, 'to.1'],
      [{ to: Array.from({ length: 101 }, (_, at) => `a${at}@example.test`) }, 'to'],
      [{ to: `${'a'.repeat(320)}@example.test` }, 'to'],
      [{ from: 'nobody' }, 'from'],
      [{ from: 'a@other.example' }, 'from'],
      [{ from_name: 'a\r\nBcc: b@example.test' }, 'from_name'],
      [{ subject: 'a\r\nBcc: b@example.test' }, 'subject'],
      [{ subject: 'x'.repeat(999) }, 'subject'],
      [{ threadId: 'thr_1' }, 'threadId'],
      [{ in_reply_to: 'a b' }, 'in_reply_to'],
      [{ references: ['<a@b>\r\nBcc: x@y.example'] }, 'references.0'],
      [{ is_draft: 'yes' }, 'is_draft'],
      [{ attachments: [{ file_name: 'a.txt', content: '!' }] }, 'attachments.0.content'],
      [{ attachments: [{ filename: 'a.txt', content: '' }] }, 'attachments.0.filename'],
      [{ disposition: 'inline' }, 'disposition'],
    ];
    for (const [change, path] of cases) {
      const { status, body } = await v1('sendEmail', { ...valid, ...change });
      expect([status, body.code], path).toEqual([400, 'BAD_REQUEST']);
      expect(body.issues.map((issue: { path: string }) => issue.path)).toContain(path);
    }
    const unknown = await v1('sendEmail', { ...valid, threadId: newId('thr') });
    expect([unknown.status, unknown.body]).toEqual([
      404,
      { code: 'NOT_FOUND', message: expect.any(String), issues: [] },
    ]);
  });
});

describe('an email of version 1', () => {
  it('cites emails by the messageId that is shown for them, and never itself', async () => {
    const { own, from, v1, v2, send } = await begin();
    const first = await send();
    await cloud().waitForQuiescence();
    const { body: sent } = await v2.get<{ wire_message_ids: string[] }>(`/emails/${first.emailId}`);
    const wireId = sent.wire_message_ids[0] ?? '';
    expect(wireId).toMatch(/@email\.amazonses\.com>$/);
    const unknown = `<elsewhere-${own.slug}@example.test>`;
    const received = `<anna-${own.slug}@example.test>`;
    const answer = async (messageId: string, inReplyTo: string, references: readonly string[]) => {
      const headers = [
        'From: anna@example.test',
        `To: ${from}`,
        'Subject: Re: Your order',
        `Message-ID: ${messageId}`,
        `In-Reply-To: ${inReplyTo}`,
        `References: ${references.join(' ')}`,
      ];
      await cloud().sendMail({
        from: 'anna@example.test',
        to: from,
        raw: [...headers, '', 'Where is it?'].join('\r\n'),
      });
      await cloud().waitForQuiescence();
    };
    // Mail programs cite the id that they saw, and all that they found in References.
    await answer(received, wireId, [unknown, first.messageId, wireId]);
    const loop = `<loop-${own.slug}@example.test>`;
    await answer(loop, loop, [wireId, loop]);
    const { body: thread } = await v1('retrieveThread', first.threadId);
    const [, question, ofItself] = thread.emails;
    const reply = (await v1('replyToEmail', question.id, { from, html })).body;
    await cloud().waitForQuiescence();
    const draft = (await v1('replyToEmail', reply.emailId, { from, html, is_draft: true })).body;
    const shown = [first.emailId, question.id, reply.emailId, draft.emailId, ofItself.id];
    const emails = (await Promise.all(shown.map((id) => v1('retrieveEmail', id)))).map(({ body }) => body);
    expect(emails.map(({ inReplyToId, references }) => [inReplyToId, references])).toEqual([
      [null, []],
      [first.messageId, [unknown, first.messageId]],
      [received, [unknown, first.messageId, received]],
      [reply.messageId, [unknown, first.messageId, received, reply.messageId]],
      [null, [first.messageId]],
    ]);
    const { body: whole } = await v1('retrieveThread', first.threadId);
    for (const email of emails) {
      const inThread = whole.emails.find(({ id }: { id: string }) => id === email.id);
      expect([inThread.inReplyToId, inThread.references]).toEqual([email.inReplyToId, email.references]);
    }
  });
});

describe('a reply of version 1', () => {
  it('answers the named email and not the newest one, and reply_all adds its other recipients', async () => {
    const { own, from, v1, send, wireTo } = await begin();
    const first = await send({ to: 'anna@example.test' });
    await cloud().waitForQuiescence();
    await cloud().sendMail({
      from: 'ben@example.test',
      to: from,
      raw: [
        'From: Ben <ben@example.test>',
        `To: ${from}, cy@example.test`,
        'Cc: dora@example.test',
        'Subject: Re: Your order',
        `Message-ID: <ben-${own.slug}@example.test>`,
        `In-Reply-To: ${first.messageId}`,
        `References: ${first.messageId}`,
        '',
        'Where is it?',
      ].join('\r\n'),
    });
    await cloud().waitForQuiescence();
    await send({ threadId: first.threadId, to: 'newest@example.test' });
    const { body: thread } = await v1('retrieveThread', first.threadId);
    expect(thread.emails.map((email: { direction: string }) => email.direction)).toEqual([
      'OUTBOUND',
      'INBOUND',
      'OUTBOUND',
    ]);
    const [, received] = thread.emails;
    expect(received).toMatchObject({ status: 'RECEIVED', fromName: 'Ben', strippedText: 'Where is it?' });
    const one = await v1('replyToEmail', received.id, { from, html: '<p>Soon.</p>' });
    expect(one.body.threadId).toBe(first.threadId);
    const all = await v1('replyToEmail', received.id, { from, html: '<p>Soon.</p>', reply_all: true });
    const [toOne, toAll] = await Promise.all(
      [one, all].map(async ({ body }) => (await v1('retrieveEmail', body.emailId)).body),
    );
    expect(toOne).toMatchObject({
      subject: 'Re: Your order',
      toAddresses: ['ben@example.test'],
      ccAddresses: [],
      inReplyToId: `<ben-${own.slug}@example.test>`,
    });
    expect(toAll).toMatchObject({
      toAddresses: ['ben@example.test', 'cy@example.test'],
      ccAddresses: ['dora@example.test'],
    });
    const [mail] = await wireTo('cy@example.test');
    expect(mail?.raw).toContain(`In-Reply-To: <ben-${own.slug}@example.test>`);
  });

  it('answers NOT_FOUND for an unknown email and BAD_REQUEST for one that was never sent', async () => {
    const { from, v1, send } = await begin();
    const body = { from, html };
    expect((await v1('replyToEmail', newId('eml'), body)).body.code).toBe('NOT_FOUND');
    expect((await v1('replyToEmail', newId('thr'), body)).body.code).toBe('NOT_FOUND');
    const { emailId } = await send({ is_draft: true });
    expect((await v1('replyToEmail', emailId, body)).body.code).toBe('NOT_FOUND');
  });
});

describe('a thread', () => {
  it('is forwarded as a transcript with its files, or without them', async () => {
    const { v1, v2, send } = await begin();
    const { threadId } = await send({
      attachments: [{ file_name: 'a.txt', content: 'SGVsbG8=' }],
    });
    await cloud().waitForQuiescence();
    const to = 'sales@example.test';
    const own = [{ file_name: 'b.txt', content: 'SGVsbG8=' }];
    const whole = await v1('forwardThread', threadId, { to, note: 'Please read.', attachments: own });
    const bare = await v1('forwardThread', threadId, { to, includeAttachments: false });
    const [email, other] = await Promise.all(
      [whole, bare].map(async ({ body }) => (await v1('retrieveEmail', body.emailId)).body),
    );
    expect(email).toMatchObject({ subject: 'Fwd: Your order', toAddresses: [to] });
    expect(email.text).toMatch(/^Please read\.[\s\S]*It is on its way\./);
    expect(email.attachments.map((file: { fileName: string }) => file.fileName)).toEqual(['b.txt', 'a.txt']);
    expect(other.attachments).toEqual([]);
    expect(email.threadId).not.toBe(threadId);
    expect((await v2.get(`/threads/${email.threadId}`)).body.forward_of).toBe(threadId);
    const long = await v1('forwardThread', threadId, { to, note: 'x'.repeat(2001) });
    expect(long.body).toMatchObject({ code: 'BAD_REQUEST', issues: [{ path: 'note' }] });
    expect((await v1('forwardThread', newId('thr'), { to })).body.code).toBe('NOT_FOUND');
    expect((await v1('forwardThread', 'x', { to })).body.code).toBe('NOT_FOUND');
  });
});

describe('a draft', () => {
  it('is one of version 2, too, and is sent once with its ids, body and files', async () => {
    const { own, v1, v2, send, wireTo } = await begin();
    const to = `draft@${own.slug}.example.test`;
    const draft = await send({
      to,
      is_draft: true,
      // Above the size that the table holds.
      html: `<p>${'Words. '.repeat(1000)}</p>`,
      attachments: [{ file_name: 'a.txt', content: 'SGVsbG8=' }],
    });
    const { body: shown } = await v1('retrieveEmail', draft.emailId);
    expect(shown).toMatchObject({ status: 'DRAFT', direction: 'OUTBOUND', sentAt: null, toAddresses: [to] });
    expect(await (await fetch(shown.attachments[0].signedUrl)).text()).toBe('Hello');
    expect((await v1('retrieveThread', draft.threadId)).body.emails).toMatchObject([{ status: 'DRAFT' }]);
    expect((await v2.get(`/emails/${draft.emailId}`)).body).toMatchObject({
      status: 'draft',
      id: draft.emailId,
    });
    expect((await v2.get(`/threads/${draft.threadId}`)).status).toBe(404);
    expect((await v2.get('/emails')).body.data).toEqual([]);
    expect(await wireTo(to)).toEqual([]);

    const sent = await Promise.all([1, 2, 3].map(() => v1('sendEmailDraft', draft.emailId)));
    for (const { status, body } of sent) expect([status, body]).toEqual([200, draft]);
    expect(await wireTo(to)).toHaveLength(1);
    const { body: email } = await v1('retrieveEmail', draft.emailId);
    expect(email).toMatchObject({ status: 'SENT', html: shown.html, messageId: draft.messageId });
    expect(email.attachments.map(({ id }: { id: string }) => id)).toEqual([shown.attachments[0].id]);
    expect((await v2.get(`/emails/${draft.emailId}`)).body).toMatchObject({ thread_id: draft.threadId });
    expect((await v1('sendEmailDraft', draft.emailId)).body).toEqual(draft);
    expect(await wireTo(to)).toHaveLength(1);
  });

  it('answers its thread when it is sent, and reserves a thread that it begins', async () => {
    const { from, v1, send } = await begin();
    const first = await send();
    await cloud().waitForQuiescence();
    const reply = (await v1('replyToEmail', first.emailId, { from, html, is_draft: true })).body;
    expect(reply.threadId).toBe(first.threadId);
    const drafted = (await v1('retrieveEmail', reply.emailId)).body;
    await v1('sendEmailDraft', reply.emailId);
    await cloud().waitForQuiescence();
    const sent = (await v1('retrieveEmail', reply.emailId)).body;
    expect(sent.inReplyToId).toBe(drafted.inReplyToId);
    expect(sent.references).toEqual(drafted.references);

    const begun = await send({ is_draft: true });
    const joined = await send({ threadId: begun.threadId });
    expect(joined.threadId).toBe(begun.threadId);
    const { body: thread } = await v1('retrieveThread', begun.threadId);
    expect(thread.emails.map(({ id }: { id: string }) => id)).toEqual([begun.emailId, joined.emailId]);
    expect((await v1('sendEmailDraft', begun.emailId)).body.threadId).toBe(begun.threadId);
  });

  it('answers NOT_FOUND for an unknown email and BAD_REQUEST for one that never was a draft', async () => {
    const { from, v1, send } = await begin();
    expect((await v1('sendEmailDraft', (await send()).emailId)).body).toEqual({
      code: 'BAD_REQUEST',
      message: expect.stringMatching(/^The email is \w+, not a draft\.$/),
      issues: [],
    });
    expect((await v1('sendEmailDraft', newId('eml'))).body.code).toBe('NOT_FOUND');
    await cloud().sendMail({ from: 'anna@example.test', to: from, subject: 'Hello', text: 'Hi' });
    await cloud().waitForQuiescence();
    const { body } = await v1('searchThreads', { subjectContains: 'Hello' });
    const { emails } = (await v1('retrieveThread', body.threads[0].id)).body;
    expect((await v1('sendEmailDraft', emails[0].id)).body.code).toBe('BAD_REQUEST');
  });
});
