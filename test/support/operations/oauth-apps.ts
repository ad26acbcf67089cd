import type { FixtureContext, OperationGroup } from '../operation-fixtures.ts';

const app = ({ slug, count }: FixtureContext) => ({
  provider: 'google',
  name: 'Acme Mail',
  slug: `${slug.slice(0, 50)}-${count()}`,
  client_id: 'client-1',
  client_secret: 'secret-1',
  return_urls: ['https://acme.test/connected'],
});

export const fixtures: OperationGroup = {
  resources: {
    app_id: async (context) => (await context.create('/oauth-apps', app(context))).id,
  },
  operations: {
    list: {},
    create: { body: app },
    retrieve: {},
    update: { body: ({ count }) => ({ tagline: `Tagline ${count()}` }) },
    delete: { consumes: true, bounded: [({ spare }) => ({ params: spare })] },
  },
};
