/** The message that calls the pacer of a workspace. */
import type { WorkspaceId } from '../../core/ids.ts';
import type { PaceMail } from '../../core/queue-messages.ts';

export function paceMailMessage(workspaceId: WorkspaceId): PaceMail {
  return { kind: 'pace-mail', v: 1, workspaceId };
}
