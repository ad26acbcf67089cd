/** The adapters of the mail providers against the emulators: both follow the same pages. */
import { afterEach, describe, expect, it } from 'vitest';
import { gmailAt } from '../../../lib/adapters/mailbox-providers/google/mail.ts';
import { graphAt } from '../../../lib/adapters/mailbox-providers/microsoft/mail.ts';
import type { OauthClient, ProviderMail } from '../../../lib/core/mailboxes/provider.ts';
import { client, setUpGoogle } from './google-kit.ts';
import { setUpMicrosoft } from './microsoft-kit.ts';
import { startPushEndpoint } from './push-endpoint.ts';

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

const gmailScopes = ['gmail.readonly', 'gmail.send'].map((name) => `https://www.googleapis.com/auth/${name}`);

async function google() {
  const kit = await setUpGoogle();
  closing.push(kit.close);
  const form = { scope: gmailScopes[0] ?? '' };
  const url = kit.consentUrl({ scope: gmailScopes.join(' ') });
  const body = new URLSearchParams({ decision: 'allow', account: 'anna@gmail.com', ...form });
  body.append('scope', gmailScopes[1] ?? '');
  const answer = await fetch(url, { method: 'POST', body, redirect: 'manual' });
  const code = new URL(answer.headers.get('location') ?? 'none:').searchParams.get('code');
  const { access_token } = (await (await kit.exchange(code)).json()) as { access_token: string };
  const address = 'anna@gmail.com';
  const mail: ProviderMail = gmailAt(kit.google.url);
  return { ...kit, emulator: kit.google, mail, address, accessToken: access_token, service: 'gmail' };
}

async function microsoft() {
  const kit = await setUpMicrosoft();
  closing.push(kit.close);
  const { access_token } = await kit.tokensOf();
  const mail: ProviderMail = graphAt(kit.microsoft.url);
  const address = 'anna@acme.test';
  return { ...kit, emulator: kit.microsoft, mail, address, accessToken: access_token, service: 'graph' };
}

const incoming = (id: string, fields = '') =>
  Buffer.from(
    `From: ben@example.test\r\nSubject: Lunch\r\nMessage-ID: <${id}@example.test>\r\n${fields}\r\nHi\r\n`,
  );

describe.each([
  ['Google', google],
  ['Microsoft', microsoft],
])('the adapter of %s', (_name, setUp) => {
  it('asks for a full synchronization where a position has another form', async () => {
    const { mail, accessToken } = await setUp();
    for (const cursor of ['', '{}', 'null', '{"historyId":1}']) {
      await expect(mail.changesSince(accessToken, cursor)).rejects.toMatchObject({ kind: 'not_found' });
    }
  });

  /** All changes since a cursor, and the cursor after them. */
  const changes = async (mail: ProviderMail, accessToken: string, from: string) => {
    const ids: string[] = [];
    let cursor = from;
    for (;;) {
      const page = await mail.changesSince(accessToken, cursor);
      ids.push(...page.added.map(({ id }) => id));
      cursor = page.cursor;
      if (page.isLast) return { ids, cursor };
    }
  };

  it('reads what comes after a cursor, without spam, drafts and trash', async () => {
    const { emulator, mail, accessToken, address } = await setUp();
    const start = await mail.currentCursor(accessToken);
    const mailbox = emulator.mailbox(address);
    mailbox.put(incoming('1'), 'inbox');
    mailbox.put(incoming('2'), 'spam');
    mailbox.put(incoming('3'), 'drafts');
    mailbox.put(incoming('4'), 'sent');
    const { ids, cursor } = await changes(mail, accessToken, start);
    const fetched = await Promise.all([...new Set(ids)].map((id) => mail.fetchMessage(accessToken, id)));
    const found = fetched.flatMap((one) => (one ? [[one.raw.toString().match(/<\d/)?.[0], one.isSent]] : []));
    expect(found.sort()).toEqual([
      ['<1', false],
      ['<4', true],
    ]);
    mailbox.put(incoming('5'), 'inbox');
    expect((await changes(mail, accessToken, cursor)).ids).toContain(
      mailbox.list().find(({ facts }) => facts.messageId === '<5@example.test>')?.id,
    );
  });

  it('finds that a cursor is too old', async () => {
    const { emulator, mail, accessToken, address } = await setUp();
    const { cursor } = await changes(mail, accessToken, await mail.currentCursor(accessToken));
    emulator.mailbox(address).forgetHistory();
    await expect(mail.changesSince(accessToken, cursor)).rejects.toMatchObject({ kind: 'not_found' });
  });

  it('lists messages since a time', async () => {
    const { emulator, mail, accessToken, address, clock } = await setUp();
    emulator.mailbox(address).put(incoming('1'), 'inbox');
    const { found } = await mail.listSince(accessToken, clock.now() - 60_000, null);
    expect(found).toEqual([{ id: emulator.mailbox(address).list()[0]?.id }]);
    expect((await mail.listSince(accessToken, clock.now() + 60_000, null)).found).toEqual([]);
  });

  it('answers in the thread of the provider', async () => {
    const { emulator, mail, accessToken, address, delivered } = await setUp();
    const mailbox = emulator.mailbox(address);
    mailbox.put(incoming('1'), 'inbox');
    const [received] = mailbox.list();
    const raw = Buffer.from(
      `From: ${address}\r\nTo: ben@example.test\r\nSubject: Re: Lunch\r\nMessage-ID: <own@example.test>\r\nIn-Reply-To: <1@example.test>\r\nReferences: <1@example.test>\r\n\r\nYes\r\n`,
    );
    const sent = await mail.send(accessToken, raw, received?.threadId ?? null);
    expect(delivered.map(({ recipients }) => recipients)).toEqual([['ben@example.test']]);
    const [copy] = mailbox.list();
    expect(copy?.threadId).toBe(received?.threadId);
    // `sendMail` of Microsoft Graph returns neither.
    expect([sent.id ?? copy?.id, sent.threadId ?? copy?.threadId]).toEqual([copy?.id, copy?.threadId]);
    const fetched = await mail.fetchMessage(accessToken, copy?.id ?? '');
    expect([fetched?.isSent, fetched?.threadId]).toEqual([true, received?.threadId]);
  });

  it('finds what it has sent although the answer was lost', async () => {
    const { emulator, mail, accessToken, address, faults, service, clock } = await setUp();
    const since = clock.now() - 60_000;
    const own = '<eml_1@example.test>';
    expect(await mail.findSent(accessToken, own, since)).toBeNull();
    const raw = Buffer.from(
      `From: ${address}\r\nTo: ben@example.test\r\nMessage-ID: ${own}\r\nReferences: ${own}\r\n\r\nYes\r\n`,
    );
    faults.add({
      service,
      action: service === 'gmail' ? 'messages.send' : 'sendMail',
      kind: 'timeout-after',
    });
    await expect(mail.send(accessToken, raw, null)).rejects.toMatchObject({ kind: 'unknown' });
    const [copy] = emulator.mailbox(address).list();
    expect(await mail.findSent(accessToken, own, since)).toEqual({ id: copy?.id, threadId: copy?.threadId });
    expect(await mail.findSent(accessToken, '<eml_2@example.test>', since)).toBeNull();
  });

  it('subscribes to pushes, renews and ends the subscription', async () => {
    const { emulator, mail, accessToken, address } = await setUp();
    const endpoint = await startPushEndpoint();
    closing.push(endpoint.close);
    const topic = 'projects/local/topics/gmail';
    if ('pubSub' in emulator) {
      const audience = endpoint.url;
      const serviceAccount = 'push@local.iam.gserviceaccount.com';
      emulator.pubSub.subscribe({ name: 's', topic, pushEndpoint: endpoint.url, audience, serviceAccount });
    }
    const app: OauthClient = { ...client, tenant: null, pubsubTopic: topic };
    const target = { url: endpoint.url, secret: 'secret' };
    const first = await mail.subscribe(accessToken, app, null, target);
    const renewed = await mail.subscribe(accessToken, app, first, target);
    expect(renewed?.id).toBe(first?.id);
    emulator.mailbox(address).put(incoming('1'), 'inbox');
    if (renewed) await mail.unsubscribe(accessToken, renewed);
    emulator.mailbox(address).put(incoming('2'), 'inbox');
    await emulator.pushes.idle();
    expect(endpoint.received).toHaveLength(1);
  });

  it('maps expired tokens and throttling', async () => {
    const { emulator, mail, accessToken, address, faults, service } = await setUp();
    faults.add({ service, action: '*', kind: 'throttle', retryAfterSeconds: 7, times: 3 });
    const listing = mail.listSince(accessToken, 0, null);
    await expect(listing).rejects.toMatchObject({ kind: 'throttled', retryAfterMs: 7_000 });
    faults.clear();
    emulator.grants.expireAccess(address);
    await expect(mail.listSince(accessToken, 0, null)).rejects.toMatchObject({ kind: 'expired' });
  });
});
