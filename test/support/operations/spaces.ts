import type { OperationGroup } from '../operation-fixtures.ts';

export const fixtures: OperationGroup = {
  resources: {
    space_id: async ({ create }) => (await create('/spaces', { name: 'Acme' })).id,
  },
  operations: {
    list: {},
    create: { body: ({ count }) => ({ name: 'Acme', external_id: `customer-${count()}` }) },
    retrieve: {},
    delete: { consumes: true },
    update: { body: ({ count }) => ({ name: 'Acme Ltd', external_id: `customer-${count()}` }) },
  },
};
