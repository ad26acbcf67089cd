/** Events of a batch (docs/decisions/0060-the-relay-publishes-events.md). */
import { afterEach, describe, expect, it } from 'vitest';
import { now } from '../../../lib/adapters/clock.ts';
import { newId } from '../../../lib/adapters/ids.ts';
import type { DomainId } from '../../../lib/core/ids.ts';
import { presentEvent } from '../../../lib/http/presenters/events.ts';
import { newEvent } from '../../../lib/services/events/new-event.ts';
import { publisherOfBatch } from '../../../lib/services/webhooks/publish-events.ts';
import { changeSettings } from '../../../lib/services/workspaces/workspaces.ts';
import { findEvent } from '../../../lib/storage/webhooks/events.ts';
import { clearFaults, inject } from '../../faults/kit.ts';
import { api } from '../../support/api.ts';
import { ownCalls, recordedCalls } from '../../support/calls.ts';
import { cloud } from '../../support/cloud.ts';
import { receiver } from '../../support/receiver.ts';
import { workspace } from '../../support/workspace.ts';

afterEach(clearFaults);

const eventCount = 12;

/** Two endpoints, and events for both. @param routing of the endpoints */
async function begin(routing: readonly object[] = []) {
  const own = await workspace();
  const client = api(own);
  const { body: domain } = await client.post('/domains', { name: `${own.slug}.test` });
  const hooks = await Promise.all([receiver(() => ({ status: 200 })), receiver(() => ({ status: 200 }))]);
  for (const { url } of hooks) {
    const body = { url, subscriptions: ['domain.verified'], routing };
    expect((await client.post('/webhook-endpoints', body)).status).toBe(201);
  }
  await cloud().waitForQuiescence();
  const subject = { domainId: domain.id as DomainId };
  const messages = Array.from({ length: eventCount }, () =>
    newEvent(own.id, 'domain.verified', now(), subject),
  );
  const ids = messages.map(({ eventId }) => eventId).toSorted();
  const received = () =>
    hooks.map(({ requests }) => requests.map(({ body }) => String(JSON.parse(body).id)).toSorted());
  return { own, messages, ids, received };
}

describe('publisherOfBatch', () => {
  it('sends the messages of all deliveries together, ten in a call', async () => {
    const { messages, ids, received } = await begin();
    const calls = await recordedCalls(async () => {
      const results = await publisherOfBatch(presentEvent)(messages);
      expect(results.map(({ status }) => status)).toEqual(Array(eventCount).fill('fulfilled'));
    });
    await cloud().waitForQuiescence();
    expect(received().map((of) => [...new Set(of)])).toEqual([ids, ids]);
    const own = calls.filter(({ principal }) => !principal.startsWith('parley-'));
    const sends = own.filter(({ action }) => action.startsWith('SendMessage'));
    expect(sends).toHaveLength(Math.ceil((2 * eventCount) / 10));
  });

  it.each([
    // The second query: whether there are live connections.
    ['with the subject', [], ['BatchGetItem', 'PutItem', 'Query', 'Query', 'SendMessageBatch']],
    [
      'that take the event, where they have rules',
      [{ effect: 'block', field: 'from', pattern: 'ann@buyer.test' }],
      ['BatchGetItem', 'BatchGetItem', 'PutItem', 'Query', 'Query', 'SendMessageBatch'],
    ],
  ])('reads the states of endpoints %s', async (_, routing, expected) => {
    const { messages } = await begin(routing);
    const calls = await ownCalls(async () => {
      expect(await publisherOfBatch(presentEvent)(messages.slice(0, 1))).toMatchObject([{ value: true }]);
    });
    expect(calls).toEqual(expected);
  });

  it('reads endpoints and settings only, and stores nothing, where nobody takes the event', async () => {
    const { own } = await begin();
    await changeSettings(own.id, { eventLog: false });
    const event = newEvent(own.id, 'email.sent', now(), { emailId: newId('eml') });
    const calls = await ownCalls(() => publisherOfBatch(presentEvent)([event]));
    expect(calls).toEqual(['GetItem', 'Query']);
    expect(await findEvent(own.id, event.eventId)).toBeNull();
  });

  it('fails the event that is not stored, and no other', async () => {
    const { own, messages, ids, received } = await begin();
    const [lost] = messages;
    if (!lost) throw new Error('there is no event');
    const fault = {
      kind: 'error',
      service: 'dynamodb',
      action: 'PutItem',
      code: 'Lost',
      status: 400,
    } as const;
    await inject({ ...fault, match: lost.eventId });
    const results = await publisherOfBatch(presentEvent)(messages);
    expect(results.map(({ status }) => status)).toEqual([
      'rejected',
      ...Array(eventCount - 1).fill('fulfilled'),
    ]);
    await cloud().waitForQuiescence();
    expect(await findEvent(own.id, lost.eventId)).toBeNull();
    const others = ids.filter((id) => id !== lost.eventId);
    expect(received()).toEqual([others, others]);
  });

  it('fails the events whose deliveries are not announced, and announces them when it is repeated', async () => {
    const { messages, ids, received } = await begin();
    const publish = publisherOfBatch(presentEvent);
    await inject({ kind: 'error', service: 'sqs', match: 'deliver-webhook', code: 'Lost', status: 400 });
    const results = await publish(messages);
    expect(results.map(({ status }) => status)).toEqual(Array(eventCount).fill('rejected'));
    for (const _ of ['what was lost', 'nothing']) {
      await cloud().waitForQuiescence();
      await publish(messages);
    }
    await cloud().waitForQuiescence();
    expect(received()).toEqual([ids, ids]);
  });
});
