import type { FixtureContext, OperationGroup } from '../operation-fixtures.ts';

/** Matches no mail of other fixtures. */
const quiet = ({ count }: FixtureContext) => ({ action: 'block', pattern: `spam-${count()}@nobody.example` });

const create = async (context: FixtureContext) => (await context.create('/inbound-rules', quiet(context))).id;

export const fixtures: OperationGroup = {
  resources: { inbound_rule_id: create },
  operations: {
    list: {},
    create: { body: quiet },
    retrieve: {},
    update: { body: ({ count }) => ({ note: `Note ${count()}` }) },
    delete: { consumes: true, params: async (context) => ({ inbound_rule_id: await create(context) }) },
  },
};
