import type { FixtureContext, OperationGroup } from '../../operation-fixtures.ts';

const name = ({ slug, count }: FixtureContext) => `v1-${count()}.${slug}.example`;

export const fixtures: OperationGroup = {
  resources: {
    domainId: async (context) => (await context.create('/domains', { name: name(context) })).id,
  },
  operations: {
    list: { unbounded: 'lists every domain, up to `limits.domains`' },
    create: { body: (context) => ({ domain: name(context) }) },
    retrieve: {},
    delete: { consumes: true },
    verify: {},
  },
};
