import { conversationOf } from '../../conversation.ts';
import type { FixtureContext, OperationGroup } from '../../operation-fixtures.ts';

const html = '<p>It is on its way.</p>';
const mail = (from: string) => ({ from, to: 'anna@example.test', subject: 'Your order', html });

const draft = async ({ address, create }: FixtureContext) => ({
  emailId: (await create('/api/v1/emails/send', { ...mail(address), is_draft: true })).emailId ?? '',
});

export const fixtures: OperationGroup = {
  resources: {
    emailId: async (context) => (await conversationOf(context)).email,
  },
  operations: {
    send: {
      body: ({ address }) => mail(address),
      bounded: [
        ({ mailbox }) => ({ body: mail(mailbox) }),
        ({ mailbox, longThread }) => ({ body: { ...mail(mailbox), threadId: longThread } }),
        ({ mailbox }) => ({ body: { ...mail(mailbox), is_draft: true } }),
      ],
    },
    retrieve: {},
    reply: { body: ({ address }) => ({ from: address, html }) },
    'send-draft': { params: draft, consumes: true },
  },
};
