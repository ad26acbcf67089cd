/** An event that endpoints may want to hear of, as the message that has it published. */
import { newId } from '../../adapters/ids.ts';
import type { WorkspaceId } from '../../core/ids.ts';
import type { PublishEvent } from '../../core/queue-messages.ts';

/**
 * @param at Unix milliseconds at which it happened
 * @param subject what its data will be read from
 */
export function newEvent(
  workspaceId: WorkspaceId,
  type: PublishEvent['type'],
  at: number,
  subject: PublishEvent['subject'],
): PublishEvent {
  return { kind: 'publish-event', v: 2, workspaceId, eventId: newId('evt'), type, at, subject };
}
