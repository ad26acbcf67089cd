import type { OperationGroup } from '../operation-fixtures.ts';

export const fixtures: OperationGroup = { resources: {}, operations: { open: {} } };
