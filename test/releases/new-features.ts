/** What only this release has, at use before a roll-back. Each item of it may be read by functions of the previous release. */
import { randomUUID } from 'node:crypto';
import { eventTypes } from '../../lib/core/webhooks/event-types.ts';
import { type Api, api } from '../support/api.ts';
import { cloud } from '../support/cloud.ts';
import { type Customer, type Facts, later, receive, refusingSome, succeeded } from './traffic.ts';

const word = (): string => randomUUID().slice(0, 8);

/** Uses all of them, and returns a key of scope `draft`. */
export async function useNewFeatures(customer: Customer, facts: Facts, random: () => number): Promise<Api> {
  const { client, domain, hook } = customer;
  const from = `desk@${domain}`;
  const include = ['text', 'stripped_text', 'headers'];
  succeeded(await client.post('/webhook-endpoints', { url: hook.url, subscriptions: eventTypes, include }));
  const endpoints = (await client.get('/webhook-endpoints')).body.data;
  // A test is never retried.
  hook.answer(() => ({}));
  for (const { id } of endpoints) {
    succeeded(await client.post(`/webhook-endpoints/${id}/test`, { event_type: 'email.received' }));
  }
  hook.answer(refusingSome(random));
  for (const role of ['viewer', 'admin']) {
    succeeded(await client.post('/members', { email: `${word()}@people.example.test`, role }));
  }
  const { key } = succeeded(await client.post('/api-keys', { name: 'Agent', scope: 'draft' }));
  const agent = api(String(key));

  const draft = () =>
    agent.post('/emails', {
      from,
      to: `d-${word()}@people.example.test`,
      subject: 'D',
      text: 'T',
      draft: true,
    });
  const approved = succeeded(await draft());
  succeeded(await client.patch(`/emails/${approved.id}`, { text: 'Edited' }));
  succeeded(await client.post(`/emails/${approved.id}/approve`, {}));
  const [to] = approved.to as string[];
  facts.sent.push({ id: approved.id, to: to ?? '', from });
  succeeded(await draft());
  const discarded = succeeded(await draft());
  succeeded(await client.post(`/emails/${discarded.id}/cancel`));

  const blocked = `b-${word()}@people.example.test`;
  succeeded(await client.post('/inbound-rules', { pattern: blocked, action: 'block' }));
  await cloud().sendMail({ from: blocked, to: from, subject: `B ${word()}`, text: 'Spam' });

  const subjects = [
    await receive(customer, facts),
    await receive(customer, facts),
    await receive(customer, facts),
  ];
  await cloud().waitForQuiescence();
  const { body } = await client.get('/threads?limit=100');
  const [read, claimed, deleted] = subjects.map(
    (subject) => body.data.find((thread) => thread.subject === subject)?.id,
  );
  succeeded(await client.patch(`/threads/${read}`, { read: true, labels: { add: ['billing'] } }));
  succeeded(await client.post(`/threads/${claimed}/claim`, { owner: 'worker-1', ttl_seconds: 3600 }));
  const reply = { text: 'T', scheduled_at: await later(1_800), cancel_on_reply: true };
  const { id, to: answered } = succeeded(await client.post(`/threads/${claimed}/reply`, reply));
  facts.sent.push({ id, to: String((answered as string[])[0]), from });
  await cloud().waitForQuiescence();
  succeeded(await client.delete(`/threads/${deleted}`));
  facts.received.splice(facts.received.indexOf(subjects[2] ?? ''), 1);
  // What is new and under way now ends here, but for the second pass of the deletion.
  await cloud().waitForQuiescence();
  return agent;
}
