/** Deletion of emails and threads through the API: what is unknown at once, and what is left in the end. */
import { afterEach, describe, expect, it } from 'vitest';
import { now, timestamp } from '../../lib/adapters/clock.ts';
import { clearFaults, inject } from '../faults/kit.ts';
import { api } from '../support/api.ts';
import { cloud } from '../support/cloud.ts';
import { findStored, finishDeletion, listed, markedThread, pathsOf } from '../support/marked-thread.ts';
import { receiver } from '../support/receiver.ts';
import { itemsOf, objects } from '../support/stored.ts';
import { v1Client } from '../support/v1-client.ts';
import { verifiedDomain } from '../support/verified-domain.ts';
import { workspace } from '../support/workspace.ts';

afterEach(clearFaults);

const types = [
  'email.sent',
  'email.delivered',
  'email.received',
  'email.opened',
  'email.drafted',
  'email.canceled',
  'thread.created',
];

const inAnHour = () => timestamp(now() + 3_600_000);

/** A workspace whose endpoint takes all events. */
async function start() {
  const own = await workspace();
  const client = api(own);
  const domain = await verifiedDomain(client, null);
  await client.patch(`/domains/${domain.id}`, { track_opens: true, track_clicks: true });
  await cloud().waitForQuiescence();
  const hook = await receiver();
  const { body: endpoint } = await client.post('/webhook-endpoints', { url: hook.url, subscriptions: types });
  const tag = own.slug.replaceAll('-', '');
  const of = { from: `desk@${domain.name}`, person: `anna@${own.slug}.example.test`, word: `w${tag}` };
  return { own, client, hook, endpointId: endpoint.id, of };
}

describe('a deleted thread', () => {
  it('is unknown at once, while its parts are still stored, and nothing of it is stored in the end', async () => {
    const { own, client, endpointId, of } = await start();
    const before = await objects();
    expect(await findStored(own.id, [of.word, of.person])).toEqual([]);
    const marked = await markedThread(client, of);
    const paths = pathsOf(marked);
    expect(marked.emails).toHaveLength(5);
    expect(marked.attachments).toHaveLength(2);
    expect((await findStored(own.id, [of.word, of.person])).length).toBeGreaterThan(20);
    expect(await listed(client, endpointId)).toContain(of.word);
    await inject({ principal: 'parley-worker-run-task', kind: 'error', times: 1000, service: 'dynamodb' });

    expect((await client.delete(`/threads/${marked.thread}`)).status).toBe(204);

    const answers = await Promise.all(paths.map((path) => client.get(path)));
    expect(answers.map(({ status }) => status)).toEqual(paths.map(() => 404));
    expect(await listed(client, endpointId)).not.toContain(of.word);
    expect((await client.delete(`/threads/${marked.thread}`)).status).toBe(404);
    const v1 = v1Client(own);
    for (const id of marked.emails) expect((await v1('retrieveEmail', id)).status).toBe(404);
    expect((await v1('retrieveThread', marked.thread)).status).toBe(404);
    expect((await fetch(marked.links.unsubscribe)).status).toBe(404);
    await fetch(marked.links.open);
    await clearFaults();
    await finishDeletion();

    expect(await findStored(own.id, [of.word, of.person])).toEqual([]);
    // Objects of other workspaces expire when the clock moves.
    expect((await objects()).filter((path) => !before.includes(path))).toEqual([]);
    expect(await listed(client, endpointId)).not.toContain(of.word);
  });

  it('leaves what no other thread has: a message of the conversation begins a new one, and a copy does not come back', async () => {
    const { own, client, of } = await start();
    const copy = {
      from: of.person,
      to: of.from,
      subject: 'Where is it?',
      text: 'Hello?',
      messageId: `<first@${own.slug}.example.test>`,
      headers: { Date: 'Thu, 26 Nov 2026 03:00:00 +0000' },
    };
    await cloud().sendMail(copy);
    await cloud().waitForQuiescence();
    const [first] = (await client.get('/emails')).body.data;
    expect((await client.delete(`/threads/${first?.thread_id}`)).status).toBe(204);
    await finishDeletion();
    await cloud().sendMail(copy);
    await cloud().waitForQuiescence();
    expect((await client.get('/emails')).body.data).toEqual([]);
    await cloud().sendMail({
      ...copy,
      subject: 'Re: Where is it?',
      text: 'Anybody?',
      messageId: `<second@${own.slug}.example.test>`,
      inReplyTo: copy.messageId,
    });
    await cloud().waitForQuiescence();
    const { body } = await client.get('/emails');
    expect(body.data).toMatchObject([{ subject: 'Re: Where is it?' }]);
    expect(body.data[0]?.thread_id).not.toBe(first?.thread_id);
    expect((await client.get(`/threads/${body.data[0]?.thread_id}`)).body).toMatchObject({
      message_count: 1,
    });
  });

  it('is refused while an email is in progress, and then nothing has changed', async () => {
    const { client, of } = await start();
    const mail = { from: of.from, to: of.person, subject: 'Later', text: 'Soon.' };
    const { body: later } = await client.post('/emails', { ...mail, scheduled_at: inAnHour() });
    const shown = (await client.get(`/threads/${later.thread_id}`)).body;
    for (const path of [`/threads/${later.thread_id}`, `/emails/${later.id}`]) {
      const { status, body } = await client.delete(path);
      expect([status, body?.code]).toEqual([409, 'email_in_progress']);
    }
    expect((await client.get(`/threads/${later.thread_id}`)).body).toEqual(shown);
    await client.post(`/emails/${later.id}/cancel`);
    expect((await client.delete(`/threads/${later.thread_id}`)).status).toBe(204);
    expect((await client.get(`/emails/${later.id}`)).status).toBe(404);
    await finishDeletion();
  });

  it.each([1, 2, 3])('is never begun again by the approval of its draft at the same time (%s)', async () => {
    const { own, client, of } = await start();
    const { body: first } = await client.post('/emails', {
      ...{ from: of.from, to: of.person, subject: 'Order', text: of.word },
    });
    await cloud().waitForQuiescence();
    const { body: draft } = await client.post(`/threads/${first.thread_id}/reply`, {
      ...{ text: 'Soon.', draft: true },
    });
    const [deleted, approved] = await Promise.all([
      client.delete(`/threads/${first.thread_id}`),
      client.post(`/emails/${draft.id}/approve`, {}),
    ]);
    const outcome = [deleted.status, approved.status];
    expect([
      [204, 404],
      [409, 200],
    ]).toContainEqual(outcome);
    await finishDeletion();
    const isGone = deleted.status === 204;
    expect((await client.get(`/threads/${first.thread_id}`)).status).toBe(isGone ? 404 : 200);
    expect((await client.get('/emails')).body.data).toHaveLength(isGone ? 0 : 2);
    if (isGone) expect(await findStored(own.id, [of.word])).toEqual([]);
  });

  it.each([1, 2, 3])('is never continued by an answer that arrives at the same time (%s)', async () => {
    const { client, of } = await start();
    const { body: first } = await client.post('/emails', {
      ...{ from: of.from, to: of.person, subject: 'Order', text: of.word },
    });
    await cloud().waitForQuiescence();
    const { body: sent } = await client.get(`/emails/${first.id}`);
    const answer = { from: of.person, to: of.from, subject: 'Re: Order', text: 'Thanks' };
    await cloud().sendMail({ ...answer, inReplyTo: String(sent.message_id) });
    const { status } = await client.delete(`/threads/${first.thread_id}`);
    expect(status).toBe(204);
    await finishDeletion();
    expect((await client.get(`/threads/${first.thread_id}`)).status).toBe(404);
    const { body: left } = await client.get('/emails');
    const { body: threads } = await client.get('/threads');
    // The answer came before, and is gone, or afterwards, and began a thread of its own.
    expect(threads.data.map(({ id }) => id)).toEqual(left.data.map(({ thread_id: id }) => id));
    expect(left.data.map(({ thread_id: id }) => id)).not.toContain(first.thread_id);
  });
});

describe('a deleted email', () => {
  it('leaves a thread with only the others, which goes on', async () => {
    const { own, client, of } = await start();
    const { word } = of;
    const mail = { from: of.from, to: `Name ${word} <${of.person}>`, subject: `Order ${word}`, text: word };
    const { body: first } = await client.post('/emails', mail);
    await cloud().waitForQuiescence();
    const [wire] = await cloud().sentTo(of.person);
    const answer = {
      from: of.person,
      to: of.from,
      subject: 'A question',
      text: 'Which one?',
      inReplyTo: String(wire?.message_id),
      messageId: `<answer@${own.slug}.example.test>`,
    };
    await cloud().sendMail(answer);
    await cloud().waitForQuiescence();
    const path = `/threads/${first.thread_id}`;
    expect((await client.get(path)).body).toMatchObject({ message_count: 2, subject: `Order ${word}` });

    expect((await client.delete(`/emails/${first.id}`)).status).toBe(204);

    expect((await client.get(`/emails/${first.id}`)).status).toBe(404);
    const { body: thread } = await client.get(path);
    expect(thread).toMatchObject({ message_count: 1, subject: 'A question', snippet: 'Which one?' });
    expect(JSON.stringify(thread)).not.toContain(word);
    await finishDeletion();
    expect(await findStored(own.id, [word])).toEqual([]);

    const { body: reply } = await client.post(`${path}/reply`, { text: 'This one.' });
    expect(reply).toMatchObject({ thread_id: first.thread_id, to: [of.person] });
    // The Message-ID of what was deleted leads to the thread still.
    await cloud().sendMail({ ...answer, text: 'And this?', messageId: `<b@${own.slug}.example.test>` });
    await cloud().waitForQuiescence();
    expect((await client.get(path)).body).toMatchObject({ message_count: 3 });
    expect((await client.get('/threads')).body.data).toHaveLength(1);
  });

  it('takes its thread with it, with its drafts, where it is the last one', async () => {
    const { own, client, of, endpointId } = await start();
    const marked = await markedThread(client, of);
    const { body: page } = await client.get(`/emails?thread_id=${marked.thread}`);
    for (const { id } of page.data) {
      expect((await client.get(`/threads/${marked.thread}`)).status).toBe(200);
      expect((await client.delete(`/emails/${id}`)).status).toBe(204);
    }
    const paths = pathsOf(marked);
    const answers = await Promise.all(paths.map((path) => client.get(path)));
    expect(answers.map(({ status }) => status)).toEqual(paths.map(() => 404));
    expect(await listed(client, endpointId)).not.toContain(of.word);
    await finishDeletion();
    expect(await findStored(own.id, [of.word, of.person])).toEqual([]);
  });

  it('is not brought back by late reports of SES, and lets its Idempotency-Key be used again', async () => {
    const { own, client, of, hook } = await start();
    const mail = { from: of.from, to: of.person, subject: 'Order', text: of.word };
    const { body: first } = await client.post('/emails', mail, { 'Idempotency-Key': 'a' });
    await cloud().waitForQuiescence();
    const [{ id: sesId } = { id: '' }] = await cloud().sentTo(of.person);
    expect((await client.delete(`/emails/${first.id}`)).status).toBe(204);
    const again = await client.post('/emails', mail, { 'Idempotency-Key': 'a' });
    expect([again.status, again.body.id === first.id]).toEqual([201, false]);
    await cloud().waitForQuiescence();
    const heard = hook.requests.length;
    await cloud().control('POST', `/sent/${sesId}/events`, {
      type: 'DELIVERY',
      content: { recipients: [of.person] },
    });
    await cloud().control('POST', `/sent/${sesId}/events`, { type: 'OPEN', content: { userAgent: of.word } });
    await finishDeletion();
    expect(hook.requests).toHaveLength(heard);
    expect((await client.get(`/emails/${first.id}`)).status).toBe(404);
    expect((await itemsOf(own.id)).filter(({ pk }) => pk.includes(`#E#${first.id}`))).toEqual([]);
  });

  it('is not delivered to an endpoint that was down, nor replayed', async () => {
    const { own, client, of, hook, endpointId } = await start();
    hook.answer(() => ({ status: 503 }));
    await client.post('/emails', { from: of.from, to: of.person, subject: 'Order', text: of.word });
    await cloud().waitForQuiescence();
    const [email] = (await client.get('/emails')).body.data;
    const deliveries = `/webhook-endpoints/${endpointId}/deliveries`;
    const waiting = (await client.get(deliveries)).body.data.map(({ id }) => id);
    expect(waiting.length).toBeGreaterThan(0);
    expect((await client.delete(`/emails/${email?.id}`)).status).toBe(204);
    hook.answer(() => ({}));
    const heard = hook.requests.length;
    const replayed = await client.post(`${deliveries}/retry`, { delivery_ids: waiting });
    expect(replayed.body?.data ?? []).toEqual([]);
    await finishDeletion();
    expect(hook.requests).toHaveLength(heard);
    expect(await findStored(own.id, [of.word, of.person])).toEqual([]);
  });
});
