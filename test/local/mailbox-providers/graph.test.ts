import { afterEach, describe, expect, it } from 'vitest';
import { setUpMicrosoft, work } from './microsoft-kit.ts';
import { startPushEndpoint } from './push-endpoint.ts';

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

const immutable = { prefer: 'IdType="ImmutableId"' };
const minute = 60_000;

async function setUp() {
  const kit = await setUpMicrosoft();
  closing.push(kit.close);
  const graph = await kit.graphOf();
  const mailbox = kit.microsoft.mailboxes.of(work);
  const settled = () => kit.microsoft.pushes.idle();
  return { ...kit, graph, mailbox, settled };
}

const mail = (fields: Record<string, string> = {}) => {
  const all = {
    From: 'ben@example.test',
    To: work,
    Subject: 'Lunch',
    'Message-ID': '<1@example.test>',
    ...fields,
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.from(`${lines.join('')}\r\nHello\r\n`);
};
const outgoing = (fields: Record<string, string> = {}) =>
  mail({ From: work, To: 'ben@example.test', ...fields }).toString('base64');

describe('messages of Microsoft Graph', () => {
  it('are received into the inbox and returned with the selected properties', async () => {
    const { graph, mailbox } = await setUp();
    mailbox.receive(mail());
    const [message] = mailbox.messages();
    const select = 'subject,parentFolderId,conversationId,isDraft,internetMessageId';
    expect(await graph('GET', `/me/messages/${message?.id}?$select=${select}`)).toEqual({
      status: 200,
      body: {
        id: message?.id,
        subject: 'Lunch',
        parentFolderId: mailbox.folderId('inbox'),
        conversationId: message?.conversationId,
        isDraft: false,
        internetMessageId: '<1@example.test>',
      },
    });
    const all = await graph('GET', `/me/messages/${message?.id}`);
    expect(all.body.receivedDateTime).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
  });

  it('are returned as MIME', async () => {
    const { graph, mailbox } = await setUp();
    mailbox.receive(mail());
    const [message] = mailbox.messages();
    expect(await graph('GET', `/me/messages/${message?.immutableId}/$value`)).toEqual({
      status: 200,
      body: mail().toString(),
    });
    expect((await graph('GET', '/me/messages/none/$value')).body.error.code).toBe('ErrorItemNotFound');
  });

  it('keep their immutable id when they are moved, and change the other', async () => {
    const { graph, mailbox } = await setUp();
    mailbox.receive(mail());
    const [message] = mailbox.messages();
    if (message) mailbox.move(message, 'archive');
    const [moved] = mailbox.messages();
    expect([moved?.folder, moved?.immutableId]).toEqual(['archive', message?.immutableId]);
    expect(moved?.id).not.toBe(message?.id);
    expect((await graph('GET', `/me/messages/${message?.id}`)).status).toBe(404);
    const same = await graph('GET', `/me/messages/${message?.immutableId}`, undefined, immutable);
    expect([same.status, same.body.id]).toEqual([200, message?.immutableId]);
  });

  it.each([
    ["internetMessageId eq '<1@example.test>'", 1],
    ["internetMessageId eq '<o''b@example.test>'", 0],
    ['receivedDateTime ge 2000-01-01T00:00:00Z', 1],
    ['receivedDateTime ge 2999-01-01T00:00:00.000Z', 0],
  ])('are filtered by %s', async (filter, count) => {
    const { graph, mailbox } = await setUp();
    mailbox.receive(mail());
    const { body } = await graph('GET', `/me/messages?${new URLSearchParams({ $filter: filter })}`);
    expect(body.value).toHaveLength(count);
  });

  it.each([
    ["contains(subject,'x')", null, 'BadRequest'],
    ["internetMessageId eq 'x'", 'receivedDateTime desc', 'InefficientFilter'],
    [null, 'subject', 'BadRequest'],
  ])('are refused to $filter=%s and $orderby=%s', async ($filter, $orderby, code) => {
    const { graph } = await setUp();
    const query = new URLSearchParams({ ...($filter && { $filter }), ...($orderby && { $orderby }) });
    expect((await graph('GET', `/me/messages?${query}`)).body.error.code).toBe(code);
  });

  it('are listed by pages, newest first, with a next link', async () => {
    const { graph, mailbox, clock } = await setUp();
    for (const id of ['a', 'b', 'c']) {
      mailbox.receive(mail({ 'Message-ID': `<${id}@example.test>` }));
      await clock.advance(1000);
    }
    const query = new URLSearchParams({
      $top: '2',
      $orderby: 'receivedDateTime desc',
      $select: 'internetMessageId',
    });
    const first = (await graph('GET', `/me/messages?${query}`)).body;
    const next = (await graph('GET', first['@odata.nextLink'])).body;
    const ids = [...first.value, ...next.value].map(({ internetMessageId }) => internetMessageId);
    expect(ids).toEqual(['<c@example.test>', '<b@example.test>', '<a@example.test>']);
    expect(next).not.toHaveProperty('@odata.nextLink');
  });

  it('share the conversation of the message that they answer', async () => {
    const { mailbox } = await setUp();
    mailbox.receive(mail());
    mailbox.receive(
      mail({ 'Message-ID': '<2@example.test>', Subject: 'RE: Lunch', 'In-Reply-To': '<1@example.test>' }),
    );
    mailbox.receive(mail({ 'Message-ID': '<3@example.test>', Subject: 'RE: Lunch' }));
    const [other, reply, first] = mailbox.messages().map(({ conversationId }) => conversationId);
    expect([reply === first, other === first]).toEqual([true, false]);
  });
});

describe('folders of Microsoft Graph', () => {
  it('are found by well-known name and by id', async () => {
    const { graph, mailbox } = await setUp();
    const { body } = await graph('GET', '/me/mailFolders/JunkEmail');
    expect(body).toEqual({
      id: mailbox.folderId('junkemail'),
      displayName: 'junkemail',
    });
    expect((await graph('GET', `/me/mailFolders/${body.id}`)).body).toEqual(body);
    expect((await graph('GET', '/me/mailFolders/none')).body.error.code).toBe('ErrorItemNotFound');
  });
});

describe('access to Microsoft Graph', () => {
  it('returns the user', async () => {
    const { graph, microsoft } = await setUp();
    const id = microsoft.accounts.find(work)?.id;
    const user = { displayName: 'Anna Berg', mail: work, userPrincipalName: work, id };
    expect(await graph('GET', '/me')).toEqual({ status: 200, body: user });
    expect((await graph('GET', '/me?$select=mail')).body).toEqual({ mail: work });
  });

  it('is refused without a valid token', async () => {
    const { graph, microsoft, clock } = await setUp();
    const response = await fetch(`${microsoft.url}/v1.0/me`);
    expect(response.status).toBe(401);
    expect(response.headers.get('www-authenticate')).toContain('Bearer');
    await clock.advance(60 * minute + 1);
    const { status, body } = await graph('GET', '/me');
    expect([status, body.error.code]).toEqual([401, 'InvalidAuthenticationToken']);
    expect(body.error.innerError).toEqual({
      date: expect.any(String),
      'request-id': expect.any(String),
      'client-request-id': expect.any(String),
    });
  });

  it('needs a scope that allows the call', async () => {
    const { graphOf } = await setUp();
    const reader = await graphOf('Mail.Read');
    expect((await reader('GET', '/me/messages')).status).toBe(200);
    expect((await reader('POST', '/me/sendMail', outgoing())).body.error.code).toBe('ErrorAccessDenied');
    const sender = await graphOf('Mail.Send');
    expect((await sender('GET', '/me/messages')).status).toBe(403);
  });

  it('is throttled and fails as fault rules say', async () => {
    const { graph, faults } = await setUp();
    faults.add({ service: 'graph', action: 'me', kind: 'throttle' });
    faults.add({ service: 'graph', action: 'me', kind: 'error', status: 503 });
    const codes = [];
    for (let call = 0; call < 3; call++) {
      const { status, body } = await graph('GET', '/me');
      codes.push([status, body.error?.code]);
    }
    expect(codes).toEqual([
      [429, 'ApplicationThrottled'],
      [503, 'serviceNotAvailable'],
      [200, undefined],
    ]);
  });
});

describe('the quota of an Outlook mailbox', () => {
  it('throttles requests until the ten minutes are over', async () => {
    const { graphOf, clock, close } = await setUpMicrosoft({ graphRequestsPerTenMinutes: 1 });
    closing.push(close);
    const graph = await graphOf();
    const codes = [];
    for (const wait of [0, 0, 10 * minute]) {
      await clock.advance(wait);
      codes.push((await graph('GET', '/me')).status);
    }
    expect(codes).toEqual([200, 429, 200]);
  });
});

describe('sending through Microsoft Graph', () => {
  it('sends MIME at once, keeps the copy in Sent Items and delivers without Bcc', async () => {
    const { graph, mailbox, delivered } = await setUp();
    const sent = await graph('POST', '/me/sendMail', outgoing({ Bcc: 'cleo@example.test' }));
    expect(sent).toEqual({ status: 202, body: '' });
    const [copy, ...more] = mailbox.messages();
    expect([copy?.folder, copy?.isDraft, copy?.facts.messageId, more]).toEqual([
      'sentitems',
      false,
      '<1@example.test>',
      [],
    ]);
    expect(delivered).toEqual([
      { from: work, recipients: ['ben@example.test', 'cleo@example.test'], raw: expect.any(Buffer) },
    ]);
    expect(delivered[0]?.raw.toString()).not.toContain('cleo');
  });

  it('adds Message-ID, Date and From', async () => {
    const { graph, mailbox } = await setUp();
    await graph('POST', '/me/sendMail', Buffer.from('To: ben@example.test\r\n\r\nHi\r\n').toString('base64'));
    const text = mailbox.messages()[0]?.raw.toString();
    expect(text).toMatch(/^Message-ID: <[\w-]+@local\.prod\.outlook\.com>\r$/m);
    expect(text).toContain(`From: ${work}\r\n`);
    expect(text).toMatch(/^Date: /m);
  });

  it.each([
    [outgoing({ From: 'boss@example.test' }), 403, 'ErrorSendAsDenied'],
    [outgoing({ To: '' }), 400, 'ErrorInvalidRecipients'],
    ['no base64!', 400, 'ErrorMimeContentInvalidBase64String'],
    [{ message: {} }, 400, 'BadRequest'],
    ['A'.repeat(5 * 1024 * 1024), 413, 'ErrorMessageSizeExceeded'],
  ])('refuses what Exchange refuses', async (body, status, code) => {
    const { graph, delivered } = await setUp();
    const answer = await graph('POST', '/me/sendMail', body);
    expect([answer.status, answer.body.error.code, delivered]).toEqual([status, code, []]);
  });

  it('is carried out although the answer is lost', async () => {
    const { graph, delivered, faults } = await setUp();
    faults.add({ service: 'graph', action: 'sendMail', principal: work, kind: 'timeout-after' });
    await expect(graph('POST', '/me/sendMail', outgoing())).rejects.toThrow('fetch failed');
    expect(delivered).toHaveLength(1);
  });
});

describe('delta queries of Microsoft Graph', () => {
  const path = '/me/mailFolders/inbox/messages/delta?changeType=created';

  it('list all messages by pages, then those that have come into the folder', async () => {
    const { graph, mailbox } = await setUp();
    for (const id of ['a', 'b', 'c']) mailbox.receive(mail({ 'Message-ID': `<${id}@example.test>` }));
    const small = { prefer: 'odata.maxpagesize=2' };
    const first = await graph('GET', `${path}&$select=internetMessageId`, undefined, small);
    expect(first.body.value).toHaveLength(2);
    const second = await graph('GET', first.body['@odata.nextLink'], undefined, small);
    const ids = [...first.body.value, ...second.body.value].map(({ internetMessageId }) => internetMessageId);
    expect(ids.sort()).toEqual(['<a@example.test>', '<b@example.test>', '<c@example.test>']);
    const link = second.body['@odata.deltaLink'];
    expect((await graph('GET', link)).body.value).toEqual([]);

    const [one, two] = mailbox.messages('inbox');
    if (!one || !two) throw new Error('no messages');
    mailbox.move(one, 'archive');
    mailbox.remove(two);
    mailbox.receive(mail({ 'Message-ID': '<d@example.test>' }));
    mailbox.receive(mail({ 'Message-ID': '<e@example.test>', 'X-Local-Spam-Verdict': 'FAIL' }));
    const [spam] = mailbox.messages('junkemail');
    if (!spam) throw new Error('no spam');
    expect((await graph('GET', link)).body.value).toHaveLength(1);
    mailbox.move(spam, 'inbox');
    const changed = await graph('GET', link, undefined, immutable);
    expect(
      changed.body.value.map(({ internetMessageId }: Record<string, string>) => internetMessageId),
    ).toEqual(['<d@example.test>', '<e@example.test>']);
    expect(changed.body.value[1].id).toBe(spam.immutableId);
    // The same link returns the same changes again.
    expect((await graph('GET', link)).body.value).toHaveLength(2);
    expect((await graph('GET', changed.body['@odata.deltaLink'])).body.value).toEqual([]);
  });

  it('are refused for other changes', async () => {
    const { graph } = await setUp();
    expect((await graph('GET', path.replace('created', 'updated'))).status).toBe(400);
  });

  it('begin with messages received since a time', async () => {
    const { graph, mailbox, clock } = await setUp();
    mailbox.receive(mail());
    await clock.advance(5_000);
    const filter = `receivedDateTime ge ${new Date(clock.now()).toISOString()}`;
    const { body } = await graph('GET', `${path}&${new URLSearchParams({ $filter: filter })}`);
    expect(body.value).toEqual([]);
    expect((await graph('GET', `${path}&${new URLSearchParams({ $filter: 'isRead eq true' })}`)).status).toBe(
      400,
    );
  });

  it('answer 410 when the state is forgotten, and 400 for a token of another folder', async () => {
    const { graph, mailbox } = await setUp();
    const link = (await graph('GET', path)).body['@odata.deltaLink'];
    expect(
      (await graph('GET', link.replace(encodeURIComponent(mailbox.folderId('inbox')), 'drafts'))).status,
    ).toBe(400);
    mailbox.forgetChanges();
    const { status, body } = await graph('GET', link);
    expect([status, body.error.code]).toEqual([410, 'SyncStateNotFound']);
  });
});

describe('subscriptions of Microsoft Graph', () => {
  async function subscribed(
    changes: Record<string, unknown> = {},
    endpointOptions: Partial<{ statuses: number[]; validates: boolean }> = {},
  ) {
    const kit = await setUp();
    const { statuses = [], validates = true } = endpointOptions;
    const endpoint = await startPushEndpoint(statuses, { validates });
    closing.push(endpoint.close);
    const expirationDateTime = new Date(kit.clock.now() + 60 * minute).toISOString();
    const request = {
      changeType: 'created',
      notificationUrl: `${endpoint.url}?from=graph`,
      lifecycleNotificationUrl: endpoint.url,
      resource: 'me/messages',
      clientState: 'secret',
      expirationDateTime,
      ...changes,
    };
    const answer = await kit.graph('POST', '/subscriptions', request);
    return { ...kit, ...endpoint, request, answer, expirationDateTime };
  }
  const notificationOf = ({ body }: { body: string }) => JSON.parse(body).value[0];

  it('are created after the validation handshake and notify of changes', async () => {
    const { answer, request, received, mailbox, settled, microsoft } = await subscribed();
    expect([answer.status, answer.body]).toEqual([
      201,
      { ...request, id: expect.any(String), applicationId: expect.any(String) },
    ]);
    mailbox.receive(mail());
    await settled();
    const account = microsoft.accounts.find(work);
    const [message] = mailbox.messages();
    const resource = `Users/${account?.id}/Messages/${message?.id}`;
    expect(received.map(({ target }) => target)).toEqual(['/push?from=graph']);
    expect(received.map(notificationOf)).toEqual([
      {
        subscriptionId: answer.body.id,
        subscriptionExpirationDateTime: request.expirationDateTime,
        changeType: 'created',
        resource,
        resourceData: {
          '@odata.type': '#Microsoft.Graph.Message',
          '@odata.id': resource,
          id: message?.id,
        },
        clientState: 'secret',
        tenantId: account?.tenantId,
      },
    ]);
  });

  it('are refused when the endpoint does not answer with the token', async () => {
    const { answer } = await subscribed({}, { validates: false });
    expect([answer.status, answer.body.error.code]).toEqual([400, 'ValidationError']);
    const gone = await subscribed({ notificationUrl: 'http://127.0.0.1:9/none' });
    expect(gone.answer.body.error.message).toContain('NoResponse');
  });

  it.each([
    [{ changeType: 'updated' }],
    [{ notificationUrl: 'ftp://example.test' }],
    [{ clientState: 's'.repeat(129) }],
    [{ expirationDateTime: '2999-01-01T00:00:00Z' }],
    [{ expirationDateTime: '2000-01-01T00:00:00Z' }],
    [{ expirationDateTime: undefined }],
    [{ resource: 'me/events' }],
  ])('are refused with %j', async (changes) => {
    expect((await subscribed(changes)).answer.status).toBe(400);
  });

  it('are renewed, and end when they are not renewed', async () => {
    const { graph, graphOf, answer, clock, mailbox, received, settled } = await subscribed();
    const path = `/subscriptions/${answer.body.id}`;
    await clock.advance(30 * minute);
    const later = new Date(clock.now() + 60 * minute).toISOString();
    expect((await graph('PATCH', path, { expirationDateTime: later })).body.expirationDateTime).toBe(later);
    await clock.advance(59 * minute);
    mailbox.receive(mail());
    await settled();
    expect(received).toHaveLength(1);
    await clock.advance(minute);
    mailbox.receive(mail({ 'Message-ID': '<2@example.test>' }));
    await settled();
    expect(received).toHaveLength(1);
    const graphNow = await graphOf();
    expect((await graphNow('PATCH', path, { expirationDateTime: later })).body.error.code).toBe(
      'ResourceNotFound',
    );
  });

  it('are not notified after the user revoked the app', async () => {
    const { microsoft, mailbox, received, settled } = await subscribed();
    microsoft.grants.revoke(work);
    mailbox.receive(mail());
    await settled();
    expect(received).toEqual([]);
  });

  it('are not notified after they are deleted', async () => {
    const { graph, answer, mailbox, received, settled } = await subscribed();
    expect((await graph('DELETE', `/subscriptions/${answer.body.id}`)).status).toBe(204);
    mailbox.receive(mail());
    await settled();
    expect([received, (await graph('DELETE', `/subscriptions/${answer.body.id}`)).status]).toEqual([[], 404]);
  });

  it('repeat a notification until it is acknowledged', async () => {
    const { clock, mailbox, received, settled } = await subscribed({}, { statuses: [503, 302] });
    mailbox.receive(mail());
    await settled();
    await clock.advance(minute);
    await settled();
    await clock.advance(2 * minute);
    await settled();
    await clock.advance(240 * minute);
    await settled();
    expect(received).toHaveLength(3);
    expect(new Set(received.map(({ body }) => body)).size).toBe(1);
  });

  it('send lifecycle notifications', async () => {
    const { microsoft, answer, mailbox, received, settled } = await subscribed();
    expect(microsoft.notifyLifecycle(work, 'reauthorizationRequired')).toBe(1);
    expect(microsoft.notifyLifecycle(work, 'subscriptionRemoved')).toBe(1);
    expect(microsoft.notifyLifecycle(work, 'missed')).toBe(0);
    mailbox.receive(mail());
    await settled();
    expect(received.map(({ target }) => target)).toEqual(['/push', '/push']);
    expect(received.map(notificationOf)).toEqual(
      ['reauthorizationRequired', 'subscriptionRemoved'].map((lifecycleEvent) => ({
        subscriptionId: answer.body.id,
        subscriptionExpirationDateTime: expect.any(String),
        lifecycleEvent,
        clientState: 'secret',
        tenantId: expect.any(String),
      })),
    );
  });
});
