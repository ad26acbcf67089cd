import type { FixtureContext, OperationGroup } from '../operation-fixtures.ts';

/** Matches no mail of other fixtures. */
const quiet = () => ({
  name: 'Slow start',
  match: [{ field: 'to', pattern: '*@nobody.example' }],
  kind: 'limit',
  limit: { scope: 'to_domain', amount: 100, per_seconds: 3600 },
});

const create = async (context: FixtureContext) => (await context.create('/pacing-rules', quiet())).id;

export const fixtures: OperationGroup = {
  resources: { rule_id: create },
  operations: {
    list: {},
    create: { body: quiet },
    retrieve: {},
    update: { body: ({ count }) => ({ name: `Rule ${count()}` }) },
    delete: { consumes: true, params: async (context) => ({ rule_id: await create(context) }) },
    'retrieve-spread': {},
    'update-spread': { body: () => ({ spread: 0 }) },
  },
};
