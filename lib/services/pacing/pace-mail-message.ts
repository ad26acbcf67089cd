/** The message that calls the pacer of a workspace. */
import type { WorkspaceId } from '../../core/ids.ts';
import type { PaceMail } from '../../core/queue-messages.ts';

/** @param wakeAt the timer that fires; null: something has changed */
export function paceMailMessage(workspaceId: WorkspaceId, wakeAt: number | null = null): PaceMail {
  return { kind: 'pace-mail', v: 1, workspaceId, wakeAt };
}
