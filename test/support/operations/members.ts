import type { FixtureContext, OperationGroup } from '../operation-fixtures.ts';

/** Addresses differ between workspaces: the id of a member is derived from it. */
const viewer = ({ slug, count }: FixtureContext) => ({
  email: `viewer-${count()}@${slug}.people.example`,
  role: 'viewer',
});

export const fixtures: OperationGroup = {
  resources: {
    member_id: async (context) => (await context.create('/members', viewer(context))).id,
  },
  operations: {
    list: {},
    create: { body: viewer },
    update: { body: () => ({ role: 'member' }) },
    delete: { consumes: true },
  },
};
