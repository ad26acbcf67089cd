/** Inbound rules end to end: mail that arrives, is blocked, seen in the event log and let in. */
import { describe, expect, it } from 'vitest';
import { api } from '../support/api.ts';
import { cloud } from '../support/cloud.ts';
import { receiver } from '../support/receiver.ts';
import { workspace } from '../support/workspace.ts';

interface Event {
  readonly type: string;
  readonly data: {
    readonly from: string;
    readonly rule_id?: string | null;
    readonly blocked_email_id?: string;
  };
}

async function newCase() {
  const ours = await workspace();
  const client = api(ours);
  const hook = await receiver();
  await client.post('/webhook-endpoints', {
    url: hook.url,
    subscriptions: ['email.received', 'email.blocked'],
  });
  const desk = `desk@${ours.providedDomain}`;
  const mail = async (from: string, to = desk) => {
    await cloud().sendMail({ from, to, subject: `From ${from}`, text: 'Hello' });
    await cloud().waitForQuiescence();
  };
  const events = async (): Promise<Event[]> => {
    const { body } = await client.get<{ data: Event[] }>(
      '/events?type=email.received&type=email.blocked&order=asc',
    );
    return body.data;
  };
  const rule = async (body: object) => {
    const { status, body: made } = await client.post<{ id: string }>('/inbound-rules', body);
    expect(status).toBe(201);
    return made.id;
  };
  return { client, desk, mail, events, rule, ours };
}

describe('inbound rules', () => {
  it('block from the next message on, and let a blocked message in when it is accepted', async () => {
    const { client, desk, mail, events, rule } = await newCase();
    await mail('eve@spam.test');
    const id = await rule({ action: 'block', pattern: '@SPAM.test' });
    await mail('eve@spam.test');
    const [first, blocked, ...more] = await events();
    expect([first?.type, more]).toEqual(['email.received', []]);
    expect(blocked).toMatchObject({
      type: 'email.blocked',
      data: { from: 'eve@spam.test', to: [desk], subject: 'From eve@spam.test', rule_id: id },
    });
    const threads = async () => (await client.get<{ data: unknown[] }>('/threads')).body.data.length;
    expect(await threads()).toBe(1);

    const path = `/blocked-emails/${blocked?.data.blocked_email_id}/accept`;
    expect((await client.post(path)).status).toBe(204);
    expect((await client.post(path)).status).toBe(204);
    await cloud().waitForQuiescence();
    expect((await events()).map(({ type }) => type)).toEqual([
      'email.received',
      'email.blocked',
      'email.received',
    ]);

    expect((await client.delete(`/inbound-rules/${id}`)).status).toBe(204);
    await mail('mallory@spam.test');
    expect((await events()).at(-1)).toMatchObject({
      type: 'email.received',
      data: { from: 'mallory@spam.test' },
    });
  });

  it('of an address decide before those of the workspace, and an allow rule blocks all others', async () => {
    const { desk, mail, events, rule, ours } = await newCase();
    await rule({ action: 'allow', pattern: 'anna+*@friend.test', address: desk });
    await rule({ action: 'block', pattern: '@friend.test' });
    await mail('anna+1@friend.test');
    await mail('anna@friend.test');
    await mail('bob@other.test', `sales@${ours.providedDomain}`);
    expect((await events()).map(({ type, data }) => [type, data.from, data.rule_id])).toEqual([
      ['email.received', 'anna+1@friend.test', undefined],
      ['email.blocked', 'anna@friend.test', null],
      ['email.received', 'bob@other.test', undefined],
    ]);
  });

  it('refuse a second rule with the same pattern, scope and action, and what is no pattern', async () => {
    const { client, rule } = await newCase();
    const id = await rule({ action: 'block', pattern: 'Eve@spam.test' });
    expect(await client.post('/inbound-rules', { action: 'block', pattern: 'eve@SPAM.test' })).toMatchObject({
      status: 422,
    });
    expect(await client.post('/inbound-rules', { action: 'block', pattern: 'spam' })).toMatchObject({
      status: 422,
    });
    expect(await client.patch(`/inbound-rules/${id}`, { action: 'allow', note: 'a friend' })).toMatchObject({
      status: 200,
      body: { action: 'allow', note: 'a friend', pattern: 'eve@spam.test' },
    });
    await rule({ action: 'block', pattern: 'eve@spam.test' });
  });

  it('of one workspace neither block mail of another nor are found by it', async () => {
    const [one, other] = [await newCase(), await newCase()];
    const id = await one.rule({ action: 'block', pattern: '@spam.test' });
    await other.mail('eve@spam.test');
    await one.mail('eve@spam.test');
    expect((await other.events()).map(({ type }) => type)).toEqual(['email.received']);
    const [blocked] = await one.events();
    const path = `/inbound-rules/${id}`;
    const answers = [
      await other.client.get(path),
      await other.client.patch(path, { note: 'mine' }),
      await other.client.delete(path),
      await other.client.post(`/blocked-emails/${blocked?.data.blocked_email_id}/accept`),
    ];
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404]);
    expect((await one.client.get(path)).status).toBe(200);
  });
});
