/** The message that continues a live connection. */
import type { WorkspaceId } from '../../core/ids.ts';
import type { ContinueLive } from '../../core/queue-messages.ts';

export const continueMessage = (
  workspaceId: WorkspaceId,
  connectionId: string,
  subscriptionId: string,
): ContinueLive => ({ kind: 'continue-live', v: 1, workspaceId, connectionId, subscriptionId });
