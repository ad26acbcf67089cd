import { conversationOf } from '../conversation.ts';
import type { OperationGroup } from '../operation-fixtures.ts';

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
      ],
    },
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
