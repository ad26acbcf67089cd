/** Events of threads: the reads that publish them; and events of what is being removed. */
import { expect, it } from 'vitest';
import { now } from '../../../lib/adapters/clock.ts';
import { newId } from '../../../lib/adapters/ids.ts';
import { historyEntryId } from '../../../lib/core/emails/email.ts';
import type { EmailId, SpaceId, ThreadId } from '../../../lib/core/ids.ts';
import { presentEvent } from '../../../lib/http/presenters/events.ts';
import { newEvent } from '../../../lib/services/events/new-event.ts';
import { publisherOfBatch } from '../../../lib/services/webhooks/publish-events.ts';
import { deletedSpacesKey, emailKey } from '../../../lib/storage/table/keys.ts';
import { put, removeAll } from '../../../lib/storage/table/table.ts';
import { findEvent } from '../../../lib/storage/webhooks/events.ts';
import { api } from '../../support/api.ts';
import { ownCalls } from '../../support/calls.ts';
import { cloud } from '../../support/cloud.ts';
import { receiver } from '../../support/receiver.ts';
import { verifiedDomain } from '../../support/verified-domain.ts';
import { workspace } from '../../support/workspace.ts';

const blockingOther = [{ effect: 'block', field: 'to', pattern: 'ben@example.test' }];
const blocking = [{ effect: 'block', field: 'to', pattern: 'anna@example.test' }];

/** A thread in a space, endpoints that take its event by these rules, and the event, which is not yet published. */
async function begin(...routings: readonly (readonly object[])[]) {
  const own = await workspace();
  const client = api(own);
  const { body: space } = await client.post('/spaces', { name: 'Acme' });
  const domain = await verifiedDomain(client, space.id);
  const { status, body: sent } = await client.post('/emails', {
    from: `support@${domain.name}`,
    to: 'anna@example.test',
    subject: 'Hello',
    text: 'Hi',
  });
  expect(status).toBe(201);
  await cloud().waitForQuiescence();
  const hooks = await Promise.all(routings.map(() => receiver(() => ({ status: 200 }))));
  for (const [at, { url }] of hooks.entries()) {
    const body = { url, subscriptions: ['thread.created', 'email.sent'], routing: routings[at] };
    expect((await client.post('/webhook-endpoints', body)).status).toBe(201);
  }
  const emailId = sent.id as EmailId;
  const events = {
    ofThread: newEvent(own.id, 'thread.created', now(), { threadId: sent.thread_id as ThreadId }),
    ofEmail: newEvent(own.id, 'email.sent', now(), { emailId }),
    ofEntry: newEvent(own.id, 'email.sent', now(), { emailId, entryId: historyEntryId(now(), 'Send') }),
  };
  return {
    workspaceId: own.id,
    spaceId: space.id as SpaceId,
    emailId,
    events,
    publish: async (event = events.ofThread) =>
      await ownCalls(async () => {
        expect(await publisherOfBatch(presentEvent)([event])).toMatchObject([{ value: true }]);
      }),
    /** The number of requests at each endpoint. */
    received: async () => {
      await cloud().waitForQuiescence();
      return hooks.map(({ requests }) => requests.length);
    },
  };
}

it('reads the email of the thread only where an endpoint has rules', async () => {
  const open = await begin([], []);
  expect((await open.publish()).filter((call) => call === 'Query')).toHaveLength(2);
  expect(await open.received()).toEqual([1, 1]);
  const ruled = await begin([], blockingOther, blocking);
  // The third query: the parts of the email.
  expect((await ruled.publish()).filter((call) => call === 'Query')).toHaveLength(3);
  expect(await ruled.received()).toEqual([1, 1, 0]);
});

it('is routed to no endpoint with rules where the email is gone', async () => {
  const { workspaceId, emailId, publish, received } = await begin([], blockingOther);
  await removeAll([emailKey(workspaceId, emailId)]);
  await publish();
  expect(await received()).toEqual([1, 0]);
});

it.each(['ofThread', 'ofEmail', 'ofEntry'] as const)(
  'is neither shown nor delivered where the space is deleted, and what is in it is not yet removed: %s',
  async (kind) => {
    const { workspaceId, spaceId, events, publish, received } = await begin([], blockingOther);
    const event = events[kind];
    await put({ ...deletedSpacesKey(workspaceId), ids: new Set([spaceId]) });
    await publish(event);
    expect(await received()).toEqual([0, 0]);
    expect(await findEvent(workspaceId, event.eventId)).toBeNull();
    await put({ ...deletedSpacesKey(workspaceId), ids: new Set([newId('spc')]) });
    expect(await findEvent(workspaceId, event.eventId)).toMatchObject({ id: event.eventId, spaceId });
  },
);
