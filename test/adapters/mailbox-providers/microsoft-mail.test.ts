import { describe, expect, it } from 'vitest';
import { graphAt } from '../../../lib/adapters/mailbox-providers/microsoft/mail.ts';
import { type ScriptedAnswer, scriptedProvider } from './scripted-provider.ts';

const me = '/v1.0/me';
const token = 'the-token';
const client = { clientId: 'c', clientSecret: 's', tenant: null, pubsubTopic: null };
const push = { url: 'https://push.test/mbx_1', secret: 'the-secret' };
const inbox = `GET ${me}/mailFolders/inbox/messages/delta`;
const sentitems = `GET ${me}/mailFolders/sentitems/messages/delta`;
const all = `GET ${me}/messages`;

async function graph(script: Readonly<Record<string, ScriptedAnswer | readonly ScriptedAnswer[]>>) {
  const { base, seen } = await scriptedProvider(script);
  return { mail: graphAt(base), seen };
}

const ids = (...names: string[]) => names.map((id) => ({ id, isDraft: false }));
const delta = (token: string, ...names: string[]): ScriptedAnswer => ({
  json: { value: ids(...names), '@odata.deltaLink': `https://elsewhere.test/v1.0/x?$deltatoken=${token}` },
});
const next = (token: string, ...names: string[]): ScriptedAnswer => ({
  json: { value: ids(...names), '@odata.nextLink': `https://elsewhere.test/v1.0/x?$skiptoken=${token}` },
});

describe('changesSince', () => {
  it('joins the inbox, Sent Items and all folders, and goes on where each one ended', async () => {
    const { mail, seen } = await graph({
      [inbox]: [next('i2', 'a', 'b'), delta('i3', 'c'), delta('i4')],
      [sentitems]: [delta('s2', 's'), delta('s3')],
      [all]: [{ json: { value: ids('moved-by-rule', 'a') } }, { json: { value: [] } }],
    });
    const first = await mail.changesSince(token, await mail.currentCursor(token));
    const second = await mail.changesSince(token, first.cursor);
    const third = await mail.changesSince(token, second.cursor);
    expect([first, second, third].map(({ added, isLast }) => [added.map(({ id }) => id), isLast])).toEqual([
      [['a', 'b', 's', 'moved-by-rule'], false],
      [['c'], true],
      [[], true],
    ]);
    const tokens = (what: string) =>
      seen.filter((one) => one.what === what).map(({ query }) => query.$skiptoken ?? query.$deltatoken);
    expect([tokens(inbox), tokens(sentitems)]).toEqual([
      [undefined, 'i2', 'i3'],
      [undefined, 's2'],
    ]);
    expect(seen.filter(({ what }) => what === all)).toHaveLength(2);
  });

  it('begins at the time of the connection and asks for stable ids', async () => {
    const { mail, seen } = await graph({ [inbox]: delta('i'), [sentitems]: delta('s'), [all]: delta('a') });
    const before = Date.now();
    await mail.changesSince(token, await mail.currentCursor(token));
    for (const { query, headers } of seen) {
      const since = Date.parse(String(query.$filter).replace('receivedDateTime ge ', ''));
      expect(Math.abs(since - before)).toBeLessThan(60_000);
      // Times of reception have whole seconds.
      expect(since % 1000).toBe(0);
      expect(headers.prefer).toContain('IdType="ImmutableId"');
    }
  });

  it('leaves out drafts and removed messages', async () => {
    const value = [
      { id: 'draft', isDraft: true },
      { id: 'gone', '@removed': { reason: 'deleted' } },
      { id: 'kept', isDraft: false },
    ];
    const { mail } = await graph({
      [inbox]: { json: { value, '@odata.deltaLink': 'https://x.test/?$deltatoken=1' } },
      [sentitems]: delta('s'),
      [all]: { json: { value: [] } },
    });
    const { added } = await mail.changesSince(token, await mail.currentCursor(token));
    expect(added).toEqual([{ id: 'kept' }]);
  });

  it.each([
    [410, 'syncStateNotFound'],
    [400, 'SyncStateInvalid'],
    [404, 'ErrorItemNotFound'],
  ])('throws not_found when the position is lost (%i %s)', async (status, code) => {
    const lost = { status, json: { error: { code } } };
    const { mail } = await graph({ [inbox]: lost, [sentitems]: delta('s'), [all]: { json: { value: [] } } });
    const changes = mail.changesSince(token, await mail.currentCursor(token));
    await expect(changes).rejects.toMatchObject({ kind: 'not_found' });
  });
});

describe('fetchMessage', () => {
  const folder = (name: string, id: string) => ({ [`GET ${me}/mailFolders/${name}`]: { json: { id } } });
  const message = (parentFolderId: string, isDraft = false): ScriptedAnswer => ({
    json: {
      id: 'm1',
      conversationId: 'c1',
      parentFolderId,
      isDraft,
      receivedDateTime: '2026-01-02T03:04:05Z',
    },
  });
  /** Folder ids are unique to each test: what they are is remembered. */
  const script = (name: string, ...answers: readonly ScriptedAnswer[]) => ({
    ...folder('junkemail', `${name}-junk`),
    ...folder('deleteditems', `${name}-deleted`),
    ...folder('drafts', `${name}-drafts`),
    [`GET ${me}/mailFolders/outbox`]: { status: 404 },
    ...folder('sentitems', `${name}-sent`),
    [`GET ${me}/messages/m1`]: answers,
    [`GET ${me}/messages/m1/$value`]: { text: 'Subject: x\r\n\r\nText' },
  });

  it('returns the raw message, its conversation and whether the owner sent it', async () => {
    const { mail, seen } = await graph(script('a', message('a-rule'), message('a-sent'), message('a-rule')));
    const received = await mail.fetchMessage(token, 'm1');
    expect({ ...received, raw: received?.raw.toString() }).toEqual({
      id: 'm1',
      threadId: 'c1',
      raw: 'Subject: x\r\n\r\nText',
      receivedAt: Date.parse('2026-01-02T03:04:05Z'),
      isSent: false,
    });
    expect((await mail.fetchMessage(token, 'm1'))?.isSent).toBe(true);
    const calls = seen.length;
    await mail.fetchMessage(token, 'm1');
    // The folder is known by now: the message and its content only.
    expect(seen.length - calls).toBe(2);
  });

  it.each([
    ['no object', { text: '[]' }],
    ['no JSON', { text: '<html>' }],
    ['a time that is none', { json: { ...Object(message('x').json), receivedDateTime: 'soon' } }],
  ])('fails as unknown, to be tried again, when the answer is %s', async (_, answer) => {
    const { mail } = await graph(script('c', answer));
    await expect(mail.fetchMessage(token, 'm1')).rejects.toMatchObject({ kind: 'unknown' });
  });

  it('returns null when the message is gone, a draft, junk or deleted', async () => {
    const { mail } = await graph(
      script('b', { status: 404 }, message('b-rule', true), message('b-junk'), message('b-deleted')),
    );
    const found = [];
    for (let at = 0; at < 4; at += 1) found.push(await mail.fetchMessage(token, 'm1'));
    expect(found).toEqual([null, null, null, null]);
  });
});

describe('send', () => {
  const send = `POST ${me}/sendMail`;
  const raw = Buffer.from('Subject: hello\r\n\r\nText');

  it('sends the MIME message in one call, which tells no ids', async () => {
    const { mail, seen } = await graph({ [send]: { status: 202 } });
    expect(await mail.send(token, raw, 'c1')).toEqual({ id: null, threadId: null });
    expect([seen[0]?.headers['content-type'], Buffer.from(seen[0]?.body ?? '', 'base64')]).toEqual([
      'text/plain',
      raw,
    ]);
  });

  it('throws unknown when it gets no answer, and the time to wait when it is throttled', async () => {
    const throttled = { status: 429, headers: { 'retry-after': '7' } };
    const { mail } = await graph({ [send]: [{ isLost: true }, throttled] });
    await expect(mail.send(token, raw, null)).rejects.toMatchObject({ kind: 'unknown' });
    await expect(mail.send(token, raw, null)).rejects.toMatchObject({
      kind: 'throttled',
      retryAfterMs: 7000,
    });
  });
});

describe('findSent', () => {
  const one = (isDraft: boolean) => ({ id: isDraft ? 'd1' : 'm1', conversationId: 'c1', isDraft });

  it('finds the message by its Message-ID, and null where there is none', async () => {
    const found = [{ json: { value: [one(true), one(false)] } }, { json: { value: [] } }];
    const { mail, seen } = await graph({ [all]: found });
    expect(await mail.findSent(token, "<o'neill@b.test>", 0)).toEqual({ id: 'm1', threadId: 'c1' });
    expect(await mail.findSent(token, '<a@b.test>', 0)).toBeNull();
    expect(seen[0]?.query.$filter).toBe("internetMessageId eq '<o''neill@b.test>'");
  });

  it('throws unknown while the message is a draft that is being sent', async () => {
    const { mail } = await graph({ [all]: { json: { value: [one(true)] } } });
    await expect(mail.findSent(token, '<a@b.test>', 0)).rejects.toMatchObject({ kind: 'unknown' });
  });
});

describe('subscribe', () => {
  const create = 'POST /v1.0/subscriptions';
  const renew = 'PATCH /v1.0/subscriptions/s1';
  const answer = (id: string) => ({ json: { id, expirationDateTime: '2026-01-08T00:00:00Z' } });
  const until = Date.parse('2026-01-08T00:00:00Z');

  it('subscribes to new messages of all folders, with the secret and for lifecycle notifications', async () => {
    const { mail, seen } = await graph({ [create]: answer('s1') });
    expect(await mail.subscribe(token, client, null, push)).toEqual({ id: 's1', expiresAt: until });
    const { expirationDateTime, ...body } = JSON.parse(seen[0]?.body ?? '');
    expect(body).toEqual({
      changeType: 'created',
      notificationUrl: push.url,
      lifecycleNotificationUrl: push.url,
      resource: 'me/messages',
      clientState: 'the-secret',
    });
    const days = (Date.parse(expirationDateTime) - Date.now()) / 86_400_000;
    expect(days).toBeGreaterThan(5);
    expect(days).toBeLessThan(7);
  });

  it('renews a subscription, and makes a new one when it is gone', async () => {
    const { mail, seen } = await graph({ [renew]: [answer('s1'), { status: 404 }], [create]: answer('s2') });
    const current = { id: 's1', expiresAt: 0 };
    expect((await mail.subscribe(token, client, current, push))?.id).toBe('s1');
    expect((await mail.subscribe(token, client, current, push))?.id).toBe('s2');
    expect(seen.map(({ what }) => what)).toEqual([renew, renew, create]);
  });

  it('ends when unsubscribed, also where it is gone already', async () => {
    const remove = 'DELETE /v1.0/subscriptions/s1';
    const { mail, seen } = await graph({ [remove]: [{ status: 204 }, { status: 404 }] });
    await mail.unsubscribe(token, { id: 's1', expiresAt: 0 });
    await mail.unsubscribe(token, { id: 's1', expiresAt: 0 });
    expect(seen).toHaveLength(2);
  });
});
