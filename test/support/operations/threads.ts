import { conversationOf, mailOf5Kb } from '../conversation.ts';
import type { FixtureContext, OperationGroup } from '../operation-fixtures.ts';

/** A thread whose email is canceled: nothing of it is in progress. */
async function ownThread({ address, create, inSeconds }: FixtureContext) {
  const mail = { ...mailOf5Kb(address), scheduled_at: inSeconds(86_400) };
  const { id, thread_id } = await create('/emails', mail);
  await create(`/emails/${id}/cancel`, {});
  return { thread_id };
}

export const fixtures: OperationGroup = {
  resources: {
    thread_id: async (context) => (await conversationOf(context)).thread,
  },
  operations: {
    list: {
      bounded: [
        () => ({ query: 'limit=2' }),
        () => ({ query: 'limit=2&space=none' }),
        ({ mailbox }) => ({ query: `limit=2&mailbox=${mailbox}` }),
        () => ({ query: 'limit=2&query=order' }),
        () => ({ query: 'limit=2&claimed=false' }),
        () => ({ query: 'limit=2&read=true' }),
      ],
    },
    update: { body: () => ({ labels: { add: ['billing'], remove: ['new'] }, read: true }) },
    release: {},
    delete: { params: ownThread, consumes: true, unbounded: 'reads all endpoints, up to `limits.endpoints`' },
    claim: { body: () => ({ owner: 'worker-7', ttl_seconds: 60 }) },
    retrieve: {
      bounded: [({ longThread }) => ({ params: { thread_id: longThread }, query: 'message_limit=2' })],
    },
    reply: {
      body: () => ({ text: 'You are welcome.' }),
      bounded: [({ longThread }) => ({ params: { thread_id: longThread }, body: { text: 'Soon.' } })],
    },
    // Contains the whole conversation, which has the same length in both workspaces.
    forward: { body: () => ({ to: 'cy@example.test' }) },
  },
};
