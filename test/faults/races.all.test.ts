import { describe, expect, it } from 'vitest';
import { api } from '../support/api.ts';
import { cloud } from '../support/cloud.ts';
import { clearFaults, eventsFor, inject, newSender } from './kit.ts';

describe('a thread', () => {
  it('counts every message when many join at once', async () => {
    const sender = await newSender();
    const person = `anna@${sender.own.slug}.example.test`;
    const { id, thread_id } = await sender.send([person]);
    await cloud().waitForQuiescence();
    const inReplyTo = (await sender.read(id)).message_id;
    const answers = ['a', 'b', 'c', 'd'];
    await Promise.all([
      ...answers.map((text) =>
        cloud().sendMail({ from: person, to: sender.from, subject: 'Re: Hello', text, inReplyTo }),
      ),
      ...answers.map((text) => api(sender.own).post(`/threads/${thread_id}/reply`, { text })),
    ]);
    await cloud().waitForQuiescence();
    const thread = await sender.thread(thread_id);
    expect(thread).toMatchObject({ message_count: 9 });
    const messages = thread.messages as { id: string; text: string; direction: string }[];
    const texts = (direction: string) =>
      messages.filter((message) => message.direction === direction).map(({ text }) => text.trim());
    expect([texts('inbound').sort(), texts('outbound').sort()]).toEqual([answers, ['Hi', ...answers].sort()]);
  });

  it('is created once when a message is addressed to two identities of a space', async () => {
    const sender = await newSender();
    const subject = `both-${sender.own.slug}`;
    const to = [sender.from, `sales@${sender.own.providedDomain}`];
    await cloud().sendMail({ from: 'anna@people.example.test', to, subject, text: 'Hi' });
    await cloud().waitForQuiescence();
    const { data: emails } = (await api(sender.own).get('/emails')).body;
    const { data: threads } = (await api(sender.own).get('/threads')).body;
    expect([emails.length, threads.length]).toEqual([1, 1]);
    expect(eventsFor(sender, emails[0]?.id ?? '')).toEqual(['email.received']);
  });
});

describe('a send with an Idempotency-Key', () => {
  const calls = 14;

  it('creates one email when it is repeated after the function was killed or lost a response', async () => {
    const sender = await newSender();
    const client = api(sender.own);
    const body = { from: sender.from, to: `anna@${sender.own.slug}.example.test`, subject: 'Hi', text: 'Hi' };
    const ids: string[] = [];
    for (const kind of ['kill-after', 'timeout-after'] as const) {
      for (let skip = 0; skip < calls; skip += kind === 'kill-after' ? 1 : 3) {
        await inject({ kind, skip, principal: 'parley-api-emails-send' });
        const headers = { 'idempotency-key': `${kind} ${skip}` };
        const first = await client.post('/emails', body, headers);
        await clearFaults();
        const second = await client.post('/emails', body, headers);
        expect([200, 201]).toContain(second.status);
        if (first.status < 300) expect(second.body.id).toBe(first.body.id);
        ids.push(second.body.id);
      }
    }
    await cloud().waitForQuiescence();
    const { data } = (await client.get('/emails?limit=100')).body;
    expect(data.map(({ id }) => id).sort()).toEqual(ids.sort());
    expect(await cloud().sentTo(body.to)).toHaveLength(ids.length);
    // What a killed function put ahead of its transaction lists no thread.
    const threads = (await client.get('/threads?limit=100')).body.data;
    expect(threads.map(({ message_count: count }) => count)).toEqual(ids.map(() => 1));
    for (const id of ids) expect(eventsFor(sender, id)).toEqual(['email.delivered', 'email.sent']);
  });
});
