/** The type of the stacks of one deployment. */
import type { ApiStack } from './api.ts';
import type { MailStack } from './mail.ts';
import type { OperationsStack } from './operations.ts';
import type { WorkersStack } from './workers.ts';

export interface Stacks {
  readonly workers: WorkersStack;
  readonly mail: readonly MailStack[];
  readonly api: ApiStack;
  readonly operations: OperationsStack;
}
