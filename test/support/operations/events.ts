import { mailOf5Kb } from '../conversation.ts';
import type { OperationGroup } from '../operation-fixtures.ts';

export const fixtures: OperationGroup = {
  resources: {
    // Of a sent email.
    event_id: async ({ address, create, get, idle }) => {
      await create('/emails', mailOf5Kb(address));
      await idle();
      const { data } = await get('/events?limit=1');
      return data[0]?.id ?? '';
    },
  },
  operations: {
    list: { bounded: [() => ({ query: 'limit=2' }), () => ({ query: 'limit=2&order=asc' })] },
    retrieve: {},
  },
};
