import type { FixtureContext, OperationGroup } from '../operation-fixtures.ts';

/** The local cloud publishes no records for names below `.example`, so that SES identities stay as they are. */
const domain = ({ slug, count }: FixtureContext) => ({ name: `new-${count()}.${slug}.example` });

export const fixtures: OperationGroup = {
  resources: {
    domain_id: async (context) => (await context.create('/domains', domain(context))).id,
  },
  operations: {
    list: {},
    create: { body: domain },
    retrieve: {},
    update: { body: ({ count }) => ({ track_clicks: count() % 2 === 0 }) },
    delete: {
      consumes: true,
      bounded: [({ spare }) => ({ params: spare }), ({ wildcard }) => ({ params: { domain_id: wildcard } })],
    },
    verify: {},
    diagnose: {},
  },
};
