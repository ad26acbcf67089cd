import { describe, expect, it } from 'vitest';
import { gmailAt } from '../../../lib/adapters/mailbox-providers/google/mail.ts';
import { type ScriptedAnswer, scriptedProvider } from './scripted-provider.ts';

const me = '/gmail/v1/users/me';
const token = 'the-token';
const client = { clientId: 'c', clientSecret: 's', tenant: null, pubsubTopic: 'projects/p/topics/t' };
const push = { url: 'https://push.test', secret: 's' };

async function gmail(script: Readonly<Record<string, ScriptedAnswer | readonly ScriptedAnswer[]>>) {
  const { base, seen } = await scriptedProvider(script);
  return { mail: gmailAt(base), seen };
}

const added = (id: string, ...labelIds: string[]) => ({ messagesAdded: [{ message: { id, labelIds } }] });

describe('changesSince', () => {
  it('reports each message once and goes on at the history id of the last page', async () => {
    const { mail, seen } = await gmail({
      [`GET ${me}/profile`]: { json: { emailAddress: 'a@b.test', historyId: '10' } },
      [`GET ${me}/history`]: [
        {
          json: {
            history: [added('m1', 'INBOX'), added('m1', 'INBOX')],
            historyId: '14',
            nextPageToken: 'p2',
          },
        },
        { json: { history: [added('m2', 'SENT')], historyId: '15' } },
        { json: { historyId: '15' } },
      ],
    });
    const first = await mail.changesSince(token, await mail.currentCursor(token));
    const second = await mail.changesSince(token, first.cursor);
    const third = await mail.changesSince(token, second.cursor);
    expect([first, second, third].map(({ added, isLast }) => [added.map(({ id }) => id), isLast])).toEqual([
      [['m1'], false],
      [['m2'], true],
      [[], true],
    ]);
    expect(seen.slice(1).map(({ query }) => [query.startHistoryId, query.pageToken])).toEqual([
      ['10', undefined],
      ['10', 'p2'],
      ['15', undefined],
    ]);
  });

  it('leaves out drafts, spam, trash and chats, and reports what leaves spam or trash', async () => {
    const removed = (id: string, label: string) => ({
      labelsRemoved: [{ message: { id, labelIds: ['INBOX'] }, labelIds: [label] }],
    });
    const { mail } = await gmail({
      [`GET ${me}/history`]: {
        json: {
          historyId: '9',
          history: [
            ...['DRAFT', 'SPAM', 'TRASH', 'CHAT'].map((label) => added(`of-${label}`, label)),
            removed('rescued', 'SPAM'),
            removed('restored', 'TRASH'),
            removed('read', 'UNREAD'),
          ],
        },
      },
    });
    const changes = await mail.changesSince(token, '{"historyId":"1","page":null}');
    expect(changes.added.map(({ id }) => id)).toEqual(['rescued', 'restored']);
  });

  it('throws not_found when the history id is too old', async () => {
    const { mail } = await gmail({ [`GET ${me}/history`]: { status: 404, json: { error: { code: 404 } } } });
    const changes = mail.changesSince(token, '{"historyId":"1","page":null}');
    await expect(changes).rejects.toMatchObject({ kind: 'not_found' });
  });

  it.each([
    ['rateLimitExceeded', 'throttled'],
    ['userRateLimitExceeded', 'throttled'],
    ['domainPolicy', 'unauthorized'],
    ['insufficientPermissions', 'unauthorized'],
    ['forbidden', 'refused'],
  ])('throws for a 403 with the reason %s: %s', async (reason, kind) => {
    const json = { error: { code: 403, errors: [{ reason }] } };
    const { mail } = await gmail({ [`GET ${me}/history`]: { status: 403, json } });
    const changes = mail.changesSince(token, '{"historyId":"1","page":null}');
    await expect(changes).rejects.toMatchObject({ kind });
  });

  it('throws unknown for an answer of another shape', async () => {
    const { mail } = await gmail({ [`GET ${me}/history`]: { json: { historyId: 7 } } });
    const changes = mail.changesSince(token, '{"historyId":"1","page":null}');
    await expect(changes).rejects.toMatchObject({ kind: 'unknown' });
  });
});

it('listSince asks for the seconds since 1970, page by page', async () => {
  const { mail, seen } = await gmail({
    [`GET ${me}/messages`]: [
      { json: { messages: [{ id: 'm1', threadId: 't1' }], nextPageToken: 'p2' } },
      { json: { resultSizeEstimate: 0 } },
    ],
  });
  const first = await mail.listSince(token, 1_700_000_000_999, null);
  const second = await mail.listSince(token, 1_700_000_000_999, first.nextPage);
  expect([first, second]).toEqual([
    { found: [{ id: 'm1' }], nextPage: 'p2' },
    { found: [], nextPage: null },
  ]);
  expect(seen.map(({ query }) => [query.q, query.pageToken])).toEqual([
    ['after:1700000000 -in:drafts -in:chats', undefined],
    ['after:1700000000 -in:drafts -in:chats', 'p2'],
  ]);
});

describe('fetchMessage', () => {
  const message = (...labelIds: string[]) => ({
    json: {
      id: 'm1',
      threadId: 't1',
      labelIds,
      internalDate: '1700000000123',
      raw: Buffer.from('Subject: ÿ\r\n\r\n>>??').toString('base64url'),
    },
  });

  it('returns the raw message, its thread and whether the owner sent it', async () => {
    const { mail } = await gmail({ [`GET ${me}/messages/m1`]: [message('INBOX'), message('SENT')] });
    const received = await mail.fetchMessage(token, 'm1');
    expect({ ...received, raw: received?.raw.toString() }).toEqual({
      id: 'm1',
      threadId: 't1',
      raw: 'Subject: ÿ\r\n\r\n>>??',
      receivedAt: 1_700_000_000_123,
      isSent: false,
    });
    expect((await mail.fetchMessage(token, 'm1'))?.isSent).toBe(true);
  });

  it.each([
    ['no object', '"m1"'],
    ['no JSON', '<html>'],
    ['a time that is none', { ...message('INBOX').json, internalDate: 'soon' }],
    ['no content', { ...message('INBOX').json, raw: undefined }],
  ])('fails as unknown, to be tried again, when the answer is %s', async (_, answer) => {
    const given = typeof answer === 'string' ? { text: answer } : { json: answer };
    const { mail } = await gmail({ [`GET ${me}/messages/m1`]: given });
    await expect(mail.fetchMessage(token, 'm1')).rejects.toMatchObject({ kind: 'unknown' });
  });

  it('returns null when the message is gone or left out', async () => {
    const { mail } = await gmail({ [`GET ${me}/messages/m1`]: [{ status: 404 }, message('TRASH')] });
    expect([await mail.fetchMessage(token, 'm1'), await mail.fetchMessage(token, 'm1')]).toEqual([
      null,
      null,
    ]);
  });
});

describe('send', () => {
  const path = 'POST /upload/gmail/v1/users/me/messages/send';

  it('uploads the message as it is, with its thread', async () => {
    const { mail, seen } = await gmail({ [path]: { json: { id: 'm9', threadId: 't9' } } });
    const raw = Buffer.from('Subject: hello\r\n\r\nText');
    expect(await mail.send(token, raw, 't9')).toEqual({ id: 'm9', threadId: 't9' });
    const boundary = /boundary="([^"]+)"/.exec(seen[0]?.headers['content-type'] ?? '')?.[1] ?? '';
    const parts = seen[0]?.body.split(`--${boundary}`);
    expect(parts?.map((part) => part.split('\r\n\r\n').slice(1).join('\r\n\r\n').trim())).toEqual([
      '',
      '{"threadId":"t9"}',
      'Subject: hello\r\n\r\nText',
      '',
    ]);
  });

  it('throws unknown when no answer comes', async () => {
    const { mail } = await gmail({ [path]: { isLost: true } });
    await expect(mail.send(token, Buffer.from('x'), null)).rejects.toMatchObject({ kind: 'unknown' });
  });
});

describe('findSent', () => {
  const sent = (references: string) => ({
    json: { payload: { headers: [{ name: 'References', value: references }] } },
  });

  it('finds a message whose References end with the id, since Gmail replaces Message-IDs', async () => {
    const { mail, seen } = await gmail({
      [`GET ${me}/messages`]: [
        {
          json: {
            messages: [
              { id: 'm1', threadId: 't1' },
              { id: 'm2', threadId: 't2' },
            ],
          },
        },
      ],
      [`GET ${me}/messages/m1`]: sent('<a@b.test> <answer@b.test>'),
      [`GET ${me}/messages/m2`]: sent('<first@b.test> <a@b.test>'),
    });
    expect(await mail.findSent(token, '<a@b.test>', 5_000_999)).toEqual({ id: 'm2', threadId: 't2' });
    expect(seen[0]?.query.q).toBe('in:sent after:5000');
  });

  it('throws unknown when more was sent since than is looked at', async () => {
    const { mail } = await gmail({
      [`GET ${me}/messages`]: { json: { messages: [], nextPageToken: 'more' } },
    });
    await expect(mail.findSent(token, '<a@b.test>', 0)).rejects.toMatchObject({ kind: 'unknown' });
  });
});

describe('subscribe', () => {
  it('watches everything but drafts, spam and trash', async () => {
    const { mail, seen } = await gmail({
      [`POST ${me}/watch`]: { json: { historyId: '1', expiration: '1700600000000' } },
      [`POST ${me}/stop`]: { status: 204 },
    });
    const subscription = await mail.subscribe(token, client, null, push);
    expect(subscription).toEqual({ id: null, expiresAt: 1_700_600_000_000 });
    expect(JSON.parse(seen[0]?.body ?? '')).toEqual({
      topicName: 'projects/p/topics/t',
      labelIds: ['DRAFT', 'SPAM', 'TRASH'],
      labelFilterBehavior: 'exclude',
    });
    await mail.unsubscribe(token, { id: null, expiresAt: 0 });
    expect(seen[1]?.what).toBe(`POST ${me}/stop`);
  });

  it('is refused, not unauthorized, when the project watches the mailbox for another topic', async () => {
    const reason = 'failedPrecondition';
    const { mail } = await gmail({
      [`POST ${me}/watch`]: { status: 400, json: { error: { code: 400, errors: [{ reason }] } } },
    });
    await expect(mail.subscribe(token, client, null, push)).rejects.toMatchObject({ kind: 'refused' });
  });

  it('returns null when the client has no topic', async () => {
    const { mail } = await gmail({});
    expect(await mail.subscribe(token, { ...client, pubsubTopic: null }, null, push)).toBeNull();
  });
});
