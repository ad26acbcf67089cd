import type { OperationGroup } from '../operation-fixtures.ts';

export const fixtures: OperationGroup = {
  resources: {
    key_id: async ({ create }) => (await create('/api-keys', { name: 'Reader', scope: 'read' })).id,
  },
  operations: {
    list: {},
    create: { body: () => ({ name: 'Reader', scope: 'read' }) },
    delete: { consumes: true },
  },
};
