import { newId } from '../../../lib/adapters/ids.ts';
import type { OperationGroup } from '../operation-fixtures.ts';

export const fixtures: OperationGroup = {
  resources: {},
  operations: {
    retrieve: {},
    release: { body: () => ({ email_ids: [newId('eml')] }) },
  },
};
