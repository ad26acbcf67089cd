import { conversationOf, mailOf5Kb } from '../conversation.ts';
import type { FixtureContext, OperationGroup } from '../operation-fixtures.ts';

const daySeconds = 86_400;

const scheduled = async ({ address, create, inSeconds }: FixtureContext) => ({
  email_id: (await create('/emails', { ...mailOf5Kb(address), scheduled_at: inSeconds(daySeconds) })).id,
});

const drafted = async ({ address, create }: FixtureContext) => ({
  email_id: (await create('/emails', { ...mailOf5Kb(address), draft: true })).id,
});

export const fixtures: OperationGroup = {
  resources: {
    email_id: async (context) => (await conversationOf(context)).email,
  },
  operations: {
    list: {
      bounded: [
        () => ({ query: 'limit=2' }),
        () => ({ query: 'limit=2&space=none' }),
        ({ longThread }) => ({ query: `limit=2&thread_id=${longThread}` }),
      ],
    },
    send: {
      body: ({ address }) => mailOf5Kb(address),
      bounded: [
        ({ mailbox }) => ({ body: mailOf5Kb(mailbox) }),
        ({ mailbox }) => ({ body: { ...mailOf5Kb(mailbox), draft: true } }),
        ({ mailbox, longThread }) => ({ body: { ...mailOf5Kb(mailbox), thread_id: longThread } }),
      ],
    },
    retrieve: {},
    'list-engagements': {},
    update: {
      params: drafted,
      body: ({ count }) => ({ text: `It arrives in ${count()} days.` }),
    },
    approve: { params: drafted, body: () => ({}), consumes: true },
    delete: { params: drafted, consumes: true, unbounded: 'reads all endpoints, up to `limits.endpoints`' },
    cancel: { params: scheduled, consumes: true },
  },
};
