/** One conversation in both versions, through a strict client of the document of version 1. */
import { describe, expect, it } from 'vitest';
import { api } from '../support/api.ts';
import { cloud } from '../support/cloud.ts';
import { v1Client } from '../support/v1-client.ts';
import { workspace } from '../support/workspace.ts';

const html = '<p>It is on its way.</p>';

describe('a thread', () => {
  it('that was begun in version 1 continues in version 2, and the other way round', async () => {
    const own = await workspace();
    const [v1, v2] = [v1Client(own), api(own)];
    const from = `support@${own.providedDomain}`;
    const mail = { from, to: 'anna@example.test', subject: 'Your order', html };
    const { status, body: old } = await v1('sendEmail', mail);
    expect(status).toBe(200);
    await cloud().waitForQuiescence();
    const answer = await v2.post(`/threads/${old.threadId}/reply`, {
      to: 'anna@example.test',
      text: 'Soon.',
    });
    expect(answer.body.thread_id).toBe(old.threadId);
    const current = await v2.post('/emails', { from, to: 'anna@example.test', subject: 'New', text: 'Hi' });
    await cloud().waitForQuiescence();
    const reply = await v1('replyToEmail', current.body.id, { from, html });
    expect(reply.body.threadId).toBe(current.body.thread_id);
    await cloud().waitForQuiescence();
    for (const threadId of [old.threadId, String(current.body.thread_id)]) {
      const { body: ofV1 } = await v1('retrieveThread', threadId);
      const { body: ofV2 } = await v2.get<{ messages: { id: string; message_id: string }[] }>(
        `/threads/${threadId}`,
      );
      expect(ofV1.emails.map((one: { id: string; messageId: string }) => [one.id, one.messageId])).toEqual(
        ofV2.messages.map((one) => [one.id, one.message_id]),
      );
      expect(ofV1.emails).toHaveLength(2);
    }
  });
});
