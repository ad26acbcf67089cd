import { conversationOf } from '../../conversation.ts';
import type { OperationGroup } from '../../operation-fixtures.ts';

export const fixtures: OperationGroup = {
  resources: {
    threadId: async (context) => (await conversationOf(context)).thread,
  },
  operations: {
    retrieve: {},
    // Contains the whole conversation, which has the same length in both workspaces.
    forward: { body: () => ({ to: 'cy@example.test' }) },
    search: {
      body: () => ({ subjectContains: 'order' }),
      unbounded: 'reads the newest threads of the workspace, up to `limits.v1SearchedThreads`',
    },
  },
};
