import type { FixtureContext, OperationGroup } from '../operation-fixtures.ts';

const addresses = ({ count }: FixtureContext) => ({ addresses: [`person${count()}@example.test`] });

export const fixtures: OperationGroup = {
  resources: {
    suppression_id: async (context) => {
      const { data } = await context.create('/suppressions', addresses(context));
      return data[0]?.id ?? '';
    },
  },
  operations: {
    list: {},
    create: { body: addresses },
    retrieve: {},
    delete: { consumes: true },
  },
};
