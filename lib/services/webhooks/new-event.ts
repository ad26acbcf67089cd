/** The `publish-event` message of a new event. */
import { newId } from '../../adapters/ids.ts';
import type { WorkspaceId } from '../../core/ids.ts';
import type { PublishEvent } from '../../core/queue-messages.ts';

/**
 * A new event with an id.
 *
 * @param at time of the event; Unix milliseconds
 * @param subject the record from which `publish-event` reads the event's data
 */
export function newEvent(
  workspaceId: WorkspaceId,
  type: PublishEvent['type'],
  at: number,
  subject: PublishEvent['subject'],
): PublishEvent {
  return { kind: 'publish-event', v: 2, workspaceId, eventId: newId('evt'), type, at, subject };
}
