/** `Idempotency-Key` in version 1, through a strict client: sends, replies, forwards, drafts. */
import { describe, expect, it } from 'vitest';
import { api } from '../support/api.ts';
import { cloud } from '../support/cloud.ts';
import { type V1Response, v1Client } from '../support/v1-client.ts';
import { verifiedDomain } from '../support/verified-domain.ts';
import { workspace } from '../support/workspace.ts';

const withKey = (key: string) => ({ headers: { 'idempotency-key': key } });
const replayed = ({ headers }: V1Response) => headers.get('idempotent-replayed');

async function begin() {
  const own = await workspace();
  const [v1, v2] = [v1Client(own), api(own)];
  const to = `${own.slug}@example.test`;
  const mail = {
    from: `support@${own.providedDomain}`,
    to,
    subject: 'Your order',
    html: '<p>It is on its way.</p>',
    attachments: [{ file_name: 'a.txt', content: 'SGVsbG8=' }],
  };
  const sent = async () => {
    await cloud().waitForQuiescence();
    return (await cloud().sentTo(to)).length;
  };
  return { own, v1, v2, to, mail, sent };
}

const operations = ['sendEmail', 'replyToEmail', 'forwardThread'] as const;

describe.each(operations)('a repeated %s of version 1', (operation) => {
  /** The operation with a body, as a client calls it that may have lost the response. */
  async function beginOf() {
    const world = await begin();
    const { v1, mail, to } = world;
    const { emailId, threadId } = (await v1('sendEmail', { ...mail, to: 'anna@example.test' })).body;
    await cloud().waitForQuiescence();
    const { from, html } = mail;
    const calls = {
      sendEmail: (more: object, key: string) => v1('sendEmail', { ...mail, ...more }, withKey(key)),
      replyToEmail: (more: object, key: string) =>
        v1('replyToEmail', emailId, { from, to, html, ...more }, withKey(key)),
      forwardThread: (more: object, key: string) =>
        v1('forwardThread', threadId, { to, ...more }, withKey(key)),
    };
    return { ...world, call: calls[operation] };
  }

  it('sends once and answers the same ids when the body is the same', async () => {
    const { call, sent } = await beginOf();
    const first = await call({}, 'one');
    expect([first.status, replayed(first)]).toEqual([200, null]);
    const again = await call({ cc: [], is_draft: false }, 'one');
    expect([again.status, again.body, replayed(again)]).toEqual([200, first.body, 'true']);
    expect((await call({}, 'two')).body.emailId).not.toBe(first.body.emailId);
    expect(await sent()).toBe(2);
  });

  it('is refused when the body is another', async () => {
    const { call, sent } = await beginOf();
    await call({}, 'one');
    for (const more of [{ from_name: 'Desk' }, { bcc: 'ben@example.test' }, { is_draft: true }]) {
      const { status, body } = await call(more, 'one');
      expect([status, body]).toEqual([
        400,
        { code: 'BAD_REQUEST', message: expect.stringContaining('another request'), issues: [] },
      ]);
    }
    expect(await sent()).toBe(1);
  });

  it.each([false, true])('creates one when requests race (draft: %s)', async (isDraft) => {
    const { call, sent } = await beginOf();
    const all = await Promise.all([1, 2, 3, 4].map(() => call({ is_draft: isDraft }, 'race')));
    for (const { status, body } of all) expect([status, body]).toEqual([200, all[0]?.body]);
    expect(all.map(replayed).sort()).toEqual([null, 'true', 'true', 'true']);
    expect(await sent()).toBe(isDraft ? 0 : 1);
  });
});

describe('an Idempotency-Key of version 1', () => {
  it('is refused by the other version, and sends nothing there', async () => {
    const { own, v1, v2, mail, to, sent } = await begin();
    const { from, subject, html } = mail;
    const same = { from, to, subject, html };
    const old = await v1('sendEmail', same, withKey('old'));
    const current = await v2.post('/emails', same, { 'idempotency-key': 'current' });
    expect((await v2.post('/emails', same, { 'idempotency-key': 'old' })).body.code).toBe(
      'idempotency_key_reused',
    );
    const refused = await v1('sendEmail', same, withKey('current'));
    expect([refused.status, refused.body.code]).toEqual([400, 'BAD_REQUEST']);
    expect(await sent()).toBe(2);
    const { body } = await v2.get(`/emails/${old.body.emailId}`);
    expect([body.idempotency_key, current.body.idempotency_key]).toEqual(['old', 'current']);
    // Another workspace has keys of its own.
    const theirs = await workspace();
    const elsewhere = { ...same, from: `support@${theirs.providedDomain}` };
    const other = await v1Client(theirs)('sendEmail', elsewhere, withKey('old'));
    expect([other.status, replayed(other), theirs.id === own.id]).toEqual([200, null, false]);
  });

  it('tells sends in two threads, and replies to two emails, from each other', async () => {
    const { v1, mail } = await begin();
    const [one, two] = [(await v1('sendEmail', mail)).body, (await v1('sendEmail', mail)).body];
    const inThread = (threadId: string) => v1('sendEmail', { ...mail, threadId }, withKey('send'));
    expect([(await inThread(one.threadId)).status, (await inThread(two.threadId)).status]).toEqual([
      200, 400,
    ]);
    const { from, to, html } = mail;
    const reply = (id: string) => v1('replyToEmail', id, { from, to, html }, withKey('reply'));
    expect([(await reply(one.emailId)).status, (await reply(two.emailId)).status]).toEqual([200, 400]);
  });

  it('stores a draft once, and answers its ids also after it was sent', async () => {
    const { v1, v2, mail, sent } = await begin();
    const store = () => v1('sendEmail', { ...mail, is_draft: true }, withKey('draft'));
    const draft = await store();
    expect((await store()).body).toEqual(draft.body);
    expect((await v1('sendEmail', mail, withKey('draft'))).status).toBe(400);
    expect((await v1('sendEmailDraft', draft.body.emailId)).body).toEqual(draft.body);
    const again = await store();
    expect([again.body, replayed(again)]).toEqual([draft.body, 'true']);
    expect(await sent()).toBe(1);
    expect((await v2.get(`/emails/${draft.body.emailId}`)).body.idempotency_key).toBe('draft');
  });

  it('replays a send, a reply and a draft when the domain of the sender is deleted meanwhile', async () => {
    const { v1, v2, mail, sent } = await begin();
    const domain = await verifiedDomain(v2, null);
    const from = `desk@${domain.name}`;
    const send = () => v1('sendEmail', { ...mail, from }, withKey('send'));
    const store = () => v1('sendEmail', { ...mail, from, is_draft: true }, withKey('draft'));
    const first = [await send(), await store()].map(({ body }) => body);
    const { to, html } = mail;
    const reply = () => v1('replyToEmail', first[0].emailId, { from, to, html }, withKey('reply'));
    first.push((await reply()).body);
    const before = await sent();
    expect((await v2.delete(`/domains/${domain.id}`)).status).toBe(204);
    const again = [await send(), await store(), await reply()];
    expect(again.map(({ status, body }) => [status, body])).toEqual(first.map((body) => [200, body]));
    expect((await v1('sendEmail', { ...mail, from }, withKey('new'))).body.code).toBe('BAD_REQUEST');
    expect(await sent()).toBe(before);
  });

  it.each([
    ['empty', ''],
    ['of 256 characters', 'k'.repeat(256)],
  ])('is refused when it is %s', async (_, key) => {
    const { v1, mail } = await begin();
    const { status, body } = await v1('sendEmail', mail, withKey(key));
    expect([status, body.code]).toEqual([400, 'BAD_REQUEST']);
  });
});
