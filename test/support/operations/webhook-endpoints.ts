import { newId } from '../../../lib/adapters/ids.ts';
import { mailOf5Kb } from '../conversation.ts';
import type { FixtureContext, OperationGroup } from '../operation-fixtures.ts';

const quiet = ({ webhookUrl }: FixtureContext) => ({ url: webhookUrl, subscriptions: ['domain.lost'] });

export const fixtures: OperationGroup = {
  resources: {
    // With a delivery.
    endpoint_id: async ({ webhookUrl, address, create, idle }) => {
      const { id } = await create('/webhook-endpoints', { url: webhookUrl, subscriptions: ['email.sent'] });
      await create('/emails', mailOf5Kb(address));
      await idle();
      return id;
    },
  },
  operations: {
    list: {},
    create: { body: quiet },
    retrieve: {},
    update: { body: ({ count }) => ({ max_concurrency: 1 + (count() % 128) }) },
    delete: {
      consumes: true,
      params: async (context) => ({
        endpoint_id: (await context.create('/webhook-endpoints', quiet(context))).id,
      }),
      bounded: [({ spare }) => ({ params: spare })],
    },
    'rotate-secret': { body: () => ({ grace_seconds: 3600 }) },
    test: { body: () => ({ event_type: 'email.sent', payload: { test: true } }) },
    'retry-deliveries': { body: () => ({ delivery_ids: [newId('dlv')] }) },
    'list-deliveries': {
      bounded: [() => ({ query: 'limit=2' }), () => ({ query: 'limit=2&state=delivered' })],
    },
  },
};
