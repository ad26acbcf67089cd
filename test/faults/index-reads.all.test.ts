/**
 * Secondary indexes lag ("Using Global Secondary Indexes in DynamoDB"). A decision that works while every read of an
 * index fails reads none.
 */
import { afterEach, describe, expect, it } from 'vitest';
import { api } from '../support/api.ts';
import { cloud } from '../support/cloud.ts';
import { workspace } from '../support/workspace.ts';
import { clearFaults, inject } from './kit.ts';

afterEach(clearFaults);

const failIndexReads = () =>
  inject({
    service: 'dynamodb',
    action: 'Query',
    match: '"IndexName"',
    kind: 'error',
    code: 'ValidationException',
    message: 'The index is not read here.',
    times: 10_000,
  });

/** A thread of a sent email and two answers to it. */
async function conversation() {
  const ours = await workspace();
  const client = api(ours);
  const from = `support@${ours.providedDomain}`;
  const sent = await client.post('/emails', { from, to: 'ann@example.test', subject: 'Party', text: 'Who?' });
  await cloud().waitForQuiescence();
  await failIndexReads();
  const answer = (author: string, text: string) =>
    cloud().sendMail({
      from: author,
      to: from,
      subject: 'Re: Party',
      text,
      messageId: `<${text}-${ours.slug}@example.test>`,
      references: `<${sent.body.id}@${ours.providedDomain}>`,
    });
  await answer('ann@example.test', 'first');
  await cloud().waitForQuiescence();
  await answer('bo@example.test', 'second');
  await cloud().waitForQuiescence();
  return { client, from, ours, threadId: String(sent.body.thread_id) };
}

interface EmailBody {
  readonly to: readonly string[];
  readonly text: string;
  readonly in_reply_to: string | null;
  readonly thread_id: string;
}

describe('a decision', () => {
  it('answers the newest message without a read of an index', async () => {
    const { client, threadId, ours } = await conversation();
    const { status, body } = await client.post(`/threads/${threadId}/reply`, { text: 'Me' });
    expect(status).toBe(201);
    const { body: reply } = await client.get<EmailBody>(`/emails/${body.id}`);
    expect(reply.to).toEqual(['bo@example.test']);
    expect(reply.in_reply_to).toBe(`<second-${ours.slug}@example.test>`);
  });

  it('continues a thread from its newest message without a read of an index', async () => {
    const { client, from, ours, threadId } = await conversation();
    const mail = { from, to: 'bo@example.test', subject: 'Re: Party', text: 'Me', thread_id: threadId };
    const { status, body } = await client.post('/emails', mail);
    expect(status).toBe(201);
    const { body: email } = await client.get<EmailBody>(`/emails/${body.id}`);
    expect(email.in_reply_to).toBe(`<second-${ours.slug}@example.test>`);
  });

  it('forwards every message without a read of an index', async () => {
    const { client, threadId } = await conversation();
    const { status, body } = await client.post(`/threads/${threadId}/forward`, { to: 'cy@example.test' });
    expect(status).toBe(201);
    const { body: forward } = await client.get<EmailBody>(`/emails/${body.id}`);
    for (const text of ['Who?', 'first', 'second']) expect(forward.text).toContain(text);
  });

  it('joins a thread by its subject without a read of an index', async () => {
    const { client, from, threadId } = await conversation();
    await cloud().sendMail({ from: 'ann@example.test', to: from, subject: 'AW: Party', text: 'third' });
    await cloud().waitForQuiescence();
    const { body } = await client.get(`/threads/${threadId}`);
    expect(body.message_count).toBe(4);
  });
});

describe('a list by space', () => {
  it('fails when reads of indexes fail', async () => {
    const { client } = await conversation();
    const { body: space } = await client.post('/spaces', { name: 'Shop' });
    expect((await client.get(`/threads?space=${space.id}`)).status).toBe(500);
  });
});
