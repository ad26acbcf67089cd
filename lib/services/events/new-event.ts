/** The `publish-event` message of a new event. */
import { newId } from '../../adapters/ids.ts';
import type { WorkspaceId } from '../../core/ids.ts';
import type { EventSubjectRef, PublishEvent } from '../../core/queue-messages.ts';
import type { EventType, SubjectKindOf } from '../../core/webhooks/event-types.ts';

/**
 * A new event with an id.
 *
 * @param at time of the event; Unix milliseconds
 * @param subject the record from which `publish-event` reads the event's data
 */
export function newEvent<Type extends EventType>(
  workspaceId: WorkspaceId,
  type: Type,
  at: number,
  subject: Extract<EventSubjectRef, Readonly<Record<`${SubjectKindOf<Type>}Id`, unknown>>>,
): PublishEvent {
  return { kind: 'publish-event', v: 1, workspaceId, eventId: newId('evt'), type, at, subject };
}
