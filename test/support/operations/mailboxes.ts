import { connectAt } from '../connect-mailbox.ts';
import type { FixtureContext, OperationGroup } from '../operation-fixtures.ts';

const request = { provider: 'google', return_to: 'https://acme.test/connected' };

const connect = async ({ create, slug, count }: FixtureContext) => {
  const { url = '' } = await create('/mailboxes/connect', request);
  return await connectAt(url, { address: `person-${count()}@${slug}.example` });
};

export const fixtures: OperationGroup = {
  resources: { mailbox_id: connect },
  operations: {
    list: {},
    connect: {
      body: () => request,
      // The secret of a shared app is read once for all workspaces.
      bounded: [({ ids }) => ({ body: { ...request, app_id: ids.app_id } })],
    },
    retrieve: {},
    sync: {},
    delete: { consumes: true, bounded: [({ spare }) => ({ params: spare })] },
  },
};
