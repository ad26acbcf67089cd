import { afterEach, describe, expect, it } from 'vitest';
import type { GoogleOptions } from '../../../lib/local/mailbox-providers/google/google.ts';
import { setUpGoogle } from './google-kit.ts';

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  await Promise.all(closing.splice(0).map((close) => close()));
});

const address = 'anna@gmail.com';
const day = 86_400_000;

async function setUp(options: Partial<GoogleOptions> = {}) {
  const kit = await setUpGoogle(options);
  closing.push(kit.close);
  const gmail = await kit.gmailOf();
  const send = await kit.senderOf();
  return { ...kit, gmail, send, mailbox: kit.google.mailboxes.of(address) };
}

const mail = (fields: Record<string, string> = {}) => {
  const all = {
    From: 'ben@example.test',
    To: address,
    Subject: 'Lunch',
    'Message-ID': '<1@example.test>',
    ...fields,
  };
  return Buffer.from(
    `${Object.entries(all)
      .map(([name, value]) => `${name}: ${value}\r\n`)
      .join('')}\r\nHello\r\n`,
  );
};
const outgoing = (fields: Record<string, string> = {}) =>
  mail({ From: address, To: 'ben@example.test', ...fields });

describe('messages of Gmail', () => {
  it('are received into the inbox and listed newest first', async () => {
    const { gmail, mailbox } = await setUp();
    mailbox.receive(mail());
    mailbox.receive(mail({ 'Message-ID': '<2@example.test>', Subject: 'Dinner' }));
    const { status, body } = await gmail('GET', 'messages');
    expect([status, body]).toEqual([
      200,
      { messages: mailbox.messages().map(({ id, threadId }) => ({ id, threadId })), resultSizeEstimate: 2 },
    ]);
    const [newest] = mailbox.messages();
    expect([newest?.facts.subject, newest?.labelIds]).toEqual(['Dinner', ['INBOX', 'UNREAD']]);
  });

  it('are left out of lists when they are spam or trash', async () => {
    const { gmail, mailbox } = await setUp();
    mailbox.receive(mail({ 'X-Local-Spam-Verdict': 'FAIL' }));
    expect((await gmail('GET', 'messages')).body).toEqual({ resultSizeEstimate: 0 });
  });

  it('are listed by pages that new messages do not shift', async () => {
    const { gmail, mailbox } = await setUp();
    for (const id of ['a', 'b', 'c']) mailbox.receive(mail({ 'Message-ID': `<${id}@example.test>` }));
    const [, second, first] = mailbox.messages();
    const page = (await gmail('GET', 'messages?maxResults=2')).body;
    mailbox.receive(mail({ 'Message-ID': '<d@example.test>' }));
    expect(page.messages[1].id).toBe(second?.id);
    const next = await gmail('GET', `messages?maxResults=2&pageToken=${page.nextPageToken}`);
    expect(next.body).toEqual({
      messages: [{ id: first?.id, threadId: first?.threadId }],
      resultSizeEstimate: 4,
    });
  });

  it.each([
    ['in:sent', 0],
    ['-in:sent -in:drafts', 1],
    ['in:inbox after:946684800', 1],
  ])('are found by q=%s', async (q, count) => {
    const { gmail, mailbox } = await setUp();
    mailbox.receive(mail());
    expect((await gmail('GET', `messages?q=${encodeURIComponent(q)}`)).body.resultSizeEstimate).toBe(count);
  });

  it('are found by seconds since 1970', async () => {
    const { gmail, mailbox, clock } = await setUp();
    mailbox.receive(mail());
    await clock.advance(2_000);
    const seconds = Math.floor(clock.now() / 1000);
    expect((await gmail('GET', `messages?q=after:${seconds - 10}`)).body.resultSizeEstimate).toBe(1);
    expect((await gmail('GET', `messages?q=after:${seconds}`)).body.resultSizeEstimate).toBe(0);
  });

  it('are refused to queries that are not modelled', async () => {
    const { gmail } = await setUp();
    expect((await gmail('GET', 'messages?q=has:attachment')).status).toBe(400);
  });

  it('are returned raw and as metadata', async () => {
    const { gmail, mailbox } = await setUp();
    mailbox.receive(mail({ Cc: 'cleo@example.test' }));
    const [message] = mailbox.messages();
    const common = {
      id: message?.id,
      threadId: message?.id,
      labelIds: ['INBOX', 'UNREAD'],
      snippet: '',
      historyId: String(mailbox.historyId()),
      internalDate: String(message?.internalDate),
      sizeEstimate: message?.raw.length,
    };
    const get = async (query: string) => (await gmail('GET', `messages/${message?.id}?${query}`)).body;
    expect(await get('format=raw')).toEqual({ ...common, raw: message?.raw.toString('base64url') });
    expect(await get('format=metadata&metadataHeaders=cc&metadataHeaders=Subject')).toEqual({
      ...common,
      payload: {
        headers: [
          { name: 'Subject', value: 'Lunch' },
          { name: 'Cc', value: 'cleo@example.test' },
        ],
      },
    });
    expect((await gmail('GET', 'messages/0000000000000000?format=raw')).status).toBe(404);
  });

  it('join the thread of the message that they answer, if the subjects match', async () => {
    const { mailbox } = await setUp();
    mailbox.receive(mail());
    mailbox.receive(
      mail({ 'Message-ID': '<2@example.test>', Subject: 'Re: Lunch', References: '<1@example.test>' }),
    );
    mailbox.receive(
      mail({ 'Message-ID': '<3@example.test>', Subject: 'Other', References: '<1@example.test>' }),
    );
    const [other, reply, first] = mailbox.messages();
    expect(reply?.threadId).toBe(first?.id);
    expect(other?.threadId).toBe(other?.id);
  });

  it('are received once for each Message-ID', async () => {
    const { mailbox } = await setUp();
    mailbox.receive(mail());
    mailbox.receive(mail());
    expect(mailbox.messages()).toHaveLength(1);
  });
});

describe('access to Gmail', () => {
  it('is refused without a valid token', async () => {
    const { request, gmail, clock } = await setUp();
    const { status, body } = await request('GET', '/gmail/v1/users/me/profile', 'ya29.wrong');
    expect([status, body.error.status, body.error.errors[0].reason]).toEqual([
      401,
      'UNAUTHENTICATED',
      'authError',
    ]);
    expect((await gmail('GET', 'profile')).status).toBe(200);
    await clock.advance(3_600_001);
    expect((await gmail('GET', 'profile')).status).toBe(401);
  });

  it('needs a scope that allows the call', async () => {
    const { gmailOf, senderOf } = await setUp();
    const sender = await gmailOf({ scope: 'https://www.googleapis.com/auth/gmail.send' });
    const { status, body } = await sender('GET', 'messages');
    expect([status, body.error.status, body.error.errors[0].reason]).toEqual([
      403,
      'PERMISSION_DENIED',
      'insufficientPermissions',
    ]);
    const read = await senderOf({ scope: 'https://www.googleapis.com/auth/gmail.readonly' });
    expect((await read(outgoing())).status).toBe(403);
  });

  it('is limited to the own mailbox', async () => {
    const { request, tokensOf } = await setUp();
    const { access_token } = await tokensOf();
    expect((await request('GET', `/gmail/v1/users/${address}/profile`, access_token)).status).toBe(200);
    expect((await request('GET', '/gmail/v1/users/ben@gmail.com/profile', access_token)).status).toBe(403);
  });
});

describe('sending through Gmail', () => {
  it('puts the message under SENT and delivers it without Bcc', async () => {
    const { send, mailbox, delivered } = await setUp();
    const { status, body } = await send(outgoing({ Bcc: 'cleo@example.test' }));
    const [message] = mailbox.messages();
    expect([status, body]).toEqual([200, { id: message?.id, threadId: message?.id, labelIds: ['SENT'] }]);
    expect(delivered).toEqual([
      { from: address, recipients: ['ben@example.test', 'cleo@example.test'], raw: expect.any(Buffer) },
    ]);
    expect(message?.raw.toString()).toContain('Bcc: cleo@example.test');
    expect(delivered[0]?.raw.toString()).not.toContain('cleo');
  });

  it('replaces the Message-ID and a From of somebody else, and keeps other fields', async () => {
    const { send, mailbox } = await setUp();
    await send(outgoing({ From: 'boss@example.test', 'X-Own': 'kept' }));
    const text = mailbox.messages()[0]?.raw.toString();
    expect(text).toMatch(/^Message-ID: <CA[\w-]{50}@mail\.gmail\.com>\r$/m);
    expect(text).toContain('From: anna@gmail.com');
    expect(text).toContain('X-Own: kept');
    expect(text).not.toContain('1@example.test');
  });

  it.each([
    [{ References: '<1@example.test>', Subject: 'Re: Lunch' }, true],
    [{ 'In-Reply-To': '<1@example.test>', Subject: 'Lunch' }, true],
    [{ References: '<1@example.test>', Subject: 'Another' }, false],
    [{ References: '<9@example.test>', Subject: 'Re: Lunch' }, false],
    [{ Subject: 'Re: Lunch' }, false],
  ])('joins a thread only with matching fields: %j', async (fields, joins) => {
    const { send, mailbox } = await setUp();
    mailbox.receive(mail());
    const threadId = mailbox.messages()[0]?.id;
    const sent = await send(outgoing({ 'Message-ID': '<2@example.test>', ...fields }), { threadId });
    expect(sent.body.threadId === threadId).toBe(joins);
  });

  it('begins a thread without a thread id', async () => {
    const { send, mailbox } = await setUp();
    mailbox.receive(mail());
    const { body } = await send(outgoing({ References: '<1@example.test>' }));
    expect(body.threadId).toBe(body.id);
  });

  it.each([
    ['another thread', outgoing(), { threadId: '0000000000000000' }, 404],
    ['no recipient', outgoing({ To: '' }), {}, 400],
  ])('refuses %s', async (_what, raw, metadata, status) => {
    const { send, delivered } = await setUp();
    expect((await send(raw, metadata)).status).toBe(status);
    expect(delivered).toEqual([]);
  });

  it('accepts messages only, by a multipart upload only', async () => {
    const { google, send, tokensOf, mailbox } = await setUp();
    expect((await send(outgoing(), {}, 'text/plain')).status).toBe(400);
    const { access_token } = await tokensOf();
    const media = await fetch(`${google.url}/upload/gmail/v1/users/me/messages/send?uploadType=media`, {
      method: 'POST',
      headers: { authorization: `Bearer ${access_token}`, 'content-type': 'message/rfc822' },
      body: outgoing(),
    });
    expect([media.status, mailbox.messages()]).toEqual([400, []]);
    await send(outgoing());
    expect(mailbox.messages()[0]?.raw.toString()).toMatch(/\r\n\r\nHello\r\n$/);
  });

  it('is carried out although the answer is lost', async () => {
    const { send, mailbox, delivered, faults } = await setUp();
    faults.add({ service: 'gmail', action: 'messages.send', principal: address, kind: 'timeout-after' });
    await expect(send(outgoing())).rejects.toThrow('fetch failed');
    expect([mailbox.messages().length, delivered.length]).toEqual([1, 1]);
  });

  it('is throttled by a fault rule', async () => {
    const { send, faults } = await setUp();
    faults.add({ service: 'gmail', action: 'messages.send', kind: 'throttle', retryAfterSeconds: 7 });
    const { status, body } = await send(outgoing());
    expect([status, body.error.status, body.error.errors[0]]).toEqual([
      429,
      'RESOURCE_EXHAUSTED',
      { message: 'User-rate limit exceeded.', domain: 'usageLimits', reason: 'rateLimitExceeded' },
    ]);
  });
});

describe('the quota of a Gmail user', () => {
  it('throttles calls by their units until the minute is over', async () => {
    const { gmail, send, clock } = await setUp({ gmailUnitsPerMinute: 101 });
    expect((await send(outgoing())).status).toBe(200);
    expect((await gmail('GET', 'history?startHistoryId=1')).status).toBe(429);
    expect((await gmail('GET', 'profile')).status).toBe(200);
    const { status, body } = await gmail('GET', 'profile');
    expect([status, body.error.errors[0].reason]).toEqual([429, 'rateLimitExceeded']);
    await clock.advance(60_000);
    expect((await gmail('GET', 'profile')).status).toBe(200);
  });
});

describe('history of Gmail', () => {
  it('returns what happened since, by type, and the current id', async () => {
    const { gmail, mailbox } = await setUp();
    const start = (await gmail('GET', 'profile')).body.historyId;
    mailbox.receive(mail());
    const [message] = mailbox.messages();
    const id = message?.id ?? '';
    mailbox.relabel(id, { add: ['STARRED'], remove: ['UNREAD'] });
    mailbox.remove(id);
    const { status, body } = await gmail('GET', `history?startHistoryId=${start}`);
    expect(status).toBe(200);
    expect(body.historyId).toBe(String(mailbox.historyId()));
    expect(body.history.map((record: object) => Object.keys(record).at(-1))).toEqual([
      'messagesAdded',
      'labelsRemoved',
      'labelsAdded',
      'messagesDeleted',
    ]);
    expect(body.history[0]).toEqual({
      id: String(message?.historyId),
      messages: [{ id, threadId: id }],
      messagesAdded: [{ message: { id, threadId: id, labelIds: ['INBOX', 'UNREAD'] } }],
    });
    const added = await gmail(
      'GET',
      `history?startHistoryId=${start}&historyTypes=messageAdded&historyTypes=labelAdded`,
    );
    expect(added.body.history).toHaveLength(2);
    expect((await gmail('GET', `history?startHistoryId=${body.historyId}`)).body).toEqual({
      historyId: body.historyId,
    });
  });

  it('is paged', async () => {
    const { gmail, mailbox } = await setUp();
    const start = mailbox.historyId();
    for (const id of ['a', 'b', 'c']) mailbox.receive(mail({ 'Message-ID': `<${id}@example.test>` }));
    const first = (await gmail('GET', `history?startHistoryId=${start}&maxResults=2`)).body;
    expect(first.history).toHaveLength(2);
    const next = (
      await gmail('GET', `history?startHistoryId=${start}&maxResults=2&pageToken=${first.nextPageToken}`)
    ).body;
    expect([next.history.length, next.nextPageToken]).toEqual([1, undefined]);
  });

  it('answers 404 for ids that are older than a week, unknown or forgotten', async () => {
    const { gmail, gmailOf, mailbox, clock } = await setUp();
    const start = mailbox.historyId();
    expect((await gmail('GET', `history?startHistoryId=${start + 1}`)).status).toBe(404);
    mailbox.receive(mail());
    await clock.advance(7 * day + 1);
    const later = await gmailOf();
    const { status, body } = await later('GET', `history?startHistoryId=${start}`);
    expect([status, body.error.status]).toEqual([404, 'NOT_FOUND']);
    const current = mailbox.historyId();
    expect((await later('GET', `history?startHistoryId=${current}`)).status).toBe(200);
    mailbox.forgetHistory();
    expect((await later('GET', `history?startHistoryId=${current}`)).status).toBe(404);
    expect((await later('GET', 'history')).status).toBe(400);
  });
});
