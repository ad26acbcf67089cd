/** A key of scope `draft` lets nothing leave: every operation of both versions and every tool (docs/concepts/drafts.md#the-scope-draft). */
import { beforeAll, describe, expect, it } from 'vitest';
import { tools } from '../../../clients/mcp/src/tools/all.ts';
import { operations } from '../../../functions/operations.ts';
import { now, timestamp } from '../../../lib/adapters/clock.ts';
import { scopeAllows } from '../../../lib/core/access/access.ts';
import { acceptEmail } from '../../../lib/services/sending/accept-email.ts';
import { resolveSender } from '../../../lib/services/sending/resolve-sender.ts';
import { type Api, api, apiInProcess } from '../../support/api.ts';
import { cloud } from '../../support/cloud.ts';
import { callOf, type FixtureContext, targetOf } from '../../support/operation-fixtures.ts';
import { type Receiver, receiver } from '../../support/receiver.ts';
import { requesterOf } from '../../support/requester.ts';
import { type TestWorkspace, workspace } from '../../support/workspace.ts';
import { workspaceContext } from '../../support/workspace-context.ts';

let own: TestWorkspace;
let draft: string;
let context: FixtureContext;

beforeAll(async () => {
  own = await workspace();
  draft = await own.keyOf('draft');
  context = workspaceContext(own);
});

/** What SES has been given from the workspace's domain so far. */
async function submitted(): Promise<number> {
  await cloud().waitForQuiescence();
  const { data } = await cloud().control<{ data: { from: string }[] }>('GET', '/sent');
  return data.filter(({ from }) => from.includes(own.providedDomain)).length;
}

const inAnHour = () => timestamp(now() + 3_600_000);

/** Bodies that would send, beside the valid one: every field that says when, whether or how. */
const variants: readonly Record<string, unknown>[] = [
  { draft: false },
  { is_draft: false },
  { pacing: { skip: true } },
  { unsubscribe: true },
  { draft: true, unsubscribe: true },
];

const named = operations.map((contract) => ({ name: `${contract.method} ${contract.path}`, contract }));

describe('a key of scope draft', () => {
  it.each(named)(
    '$name: lets nothing leave',
    async ({ contract }) => {
      const client = apiInProcess(draft);
      const prepared = await callOf(contract, context);
      const before = await submitted();
      const bodies =
        prepared.body !== null && typeof prepared.body === 'object'
          ? [prepared.body, ...variants.map((more) => ({ ...(prepared.body as object), ...more }))]
          : [prepared.body];
      for (const body of bodies) {
        const answer = await client.request(contract.method, targetOf(contract, prepared), {
          ...(body !== undefined && { body }),
          headers: { prefer: 'wait=5' },
        });
        if (!scopeAllows('draft', contract.scope)) expect(answer.status).toBe(403);
        else expect(String(answer.body?.status)).not.toMatch(/^(queued|sending|sent|scheduled)$/);
      }
      expect(await submitted()).toBe(before);
    },
    60_000,
  );

  it('lets nothing leave through any tool', async () => {
    const writer = api(draft);
    const { body: first } = await api(own).post('/emails', mail());
    await cloud().waitForQuiescence();
    const before = await submitted();
    const given: Record<string, unknown> = {
      ...{ email_id: first.id, thread_id: first.thread_id, to: ['x@example.test'], from: context.address },
      ...{ subject: 'x', text: 'x', note: 'x', scheduled_at: inAnHour(), version: 1 },
    };
    for (const { name, input } of tools) {
      const args = Object.fromEntries(
        Object.keys(input.shape).flatMap((field) => (field in given ? [[field, given[field]]] : [])),
      );
      const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } };
      const { status, body } = await writer.request('POST', `${new URL(cloud().baseUrl).origin}/mcp`, {
        body: call,
        headers: { accept: 'application/json, text/event-stream' },
      });
      expect([status, body.result]).toEqual([200, expect.anything()]);
    }
    expect(await submitted()).toBe(before);
  });
});

const mail = (more: Record<string, unknown> = {}) => ({
  from: context.address,
  to: `anna@${own.slug}.example.test`,
  subject: 'Hello',
  text: 'Hi',
  ...more,
});

describe('what a key of scope draft writes', () => {
  let writer: Api;
  let owner: Api;
  beforeAll(() => {
    [writer, owner] = [api(draft), api(own)];
  });

  it.each([
    ['with a time', { scheduled_at: inAnHour() }],
    ['with an explicit false', { draft: false }],
  ])('is a draft %s', async (_, more) => {
    const before = await submitted();
    const { body } = await writer.post('/emails', mail(more));
    expect(body.status).toBe('draft');
    expect(await submitted()).toBe(before);
  });

  it('stays one when another key edits it, in a reply, in a forward', async () => {
    const { body: first } = await owner.post('/emails', mail());
    const before = await submitted();
    const written = await Promise.all([
      writer.post(`/threads/${first.thread_id}/reply`, { text: 'x', to: 'ben@example.test' }),
      writer.post(`/threads/${first.thread_id}/forward`, { to: 'ben@example.test' }),
      writer.post('/api/v1/emails/send', { ...mail(), html: '<p>x</p>' }),
      writer.post(`/api/v1/emails/${first.id}/reply`, { from: context.address, html: '<p>x</p>' }),
      writer.post(`/api/v1/threads/${first.thread_id}/forward`, { to: 'ben@example.test' }),
    ]);
    for (const { status, body } of written) {
      expect(status, JSON.stringify(body)).toBeLessThan(300);
      const id = body.id ?? body.emailId;
      const edited = await owner.patch(`/emails/${id}`, { text: 'Edited', scheduled_at: inAnHour() });
      expect(edited.body).toMatchObject({ status: 'draft', draft: { version: 2 } });
      expect((await writer.post(`/api/v1/emails/${id}/send`)).status).toBe(403);
      expect((await writer.post(`/emails/${id}/approve`, {})).status).toBe(403);
    }
    expect(await submitted()).toBe(before);
  });

  it('is sent by no replay: keys of drafts and of sends are apart', async () => {
    const [key, other] = [{ 'idempotency-key': 'one' }, { 'idempotency-key': 'two' }];
    const { body: first } = await writer.post('/emails', mail(), key);
    const before = await submitted();
    const again = await writer.post('/emails', mail({ draft: true }), key);
    expect([again.status, again.body.id, again.headers['idempotent-replayed']]).toEqual([
      200,
      first.id,
      'true',
    ]);
    expect((await owner.post('/emails', mail(), key)).body.code).toBe('idempotency_key_reused');
    expect(await submitted()).toBe(before);
    await owner.post('/emails', mail(), other);
    expect((await writer.post('/emails', mail(), other)).body.code).toBe('idempotency_key_reused');
    expect(await submitted()).toBe(before + 1);
  });

  it('reaches the endpoints that others have subscribed, and no other address', async () => {
    const hook: Receiver = await receiver();
    await owner.post('/webhook-endpoints', { url: hook.url, subscriptions: ['email.drafted'] });
    const refused = await writer.post('/webhook-endpoints', {
      url: hook.url,
      subscriptions: ['email.drafted'],
    });
    expect(refused.status).toBe(403);
    await writer.post('/emails', mail({ html: '<img src="https://x.example/p.png">' }));
    await cloud().waitForQuiescence();
    expect(hook.requests.map(({ body }) => JSON.parse(body).type)).toEqual(['email.drafted']);
  });

  it('changes no email that was accepted', async () => {
    const { body: later } = await owner.post('/emails', mail({ scheduled_at: inAnHour() }));
    expect((await writer.patch(`/emails/${later.id}`, { scheduled_at: inAnHour() })).status).toBe(403);
    expect((await writer.post(`/emails/${later.id}/cancel`)).status).toBe(403);
  });

  it('is refused by the one function that accepts emails, whatever calls it', async () => {
    const from = { name: null, address: context.address };
    const given = {
      ...{ from, to: [from], cc: [], bcc: [], replyTo: [], subject: 'x', html: null, text: 'x', headers: [] },
      ...{ attachments: [], carried: [], suppressionKey: null, unsubscribe: false, forwardOf: null },
      ...{ pacing: { skip: false, count: true }, baseUrl: 'https://a.example', scheduledAt: null },
      sender: await resolveSender(own.id, from),
    };
    await expect(acceptEmail(requesterOf(own.id, 'draft'), given, null, null)).rejects.toMatchObject({
      code: 'forbidden',
    });
  });
});
