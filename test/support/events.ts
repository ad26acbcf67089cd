/** Builder of events. */
import { now } from '../../lib/adapters/clock.ts';
import { newId } from '../../lib/adapters/ids.ts';
import type { WorkspaceId } from '../../lib/core/ids.ts';
import type { PublishEvent } from '../../lib/core/queue-messages.ts';
import { eventExpiry, type StoredEvent } from '../../lib/core/webhooks/event.ts';

/** An `email.sent` of the workspace, in whole seconds as it is read back. */
export function storedEvent(change: Partial<StoredEvent> = {}): StoredEvent {
  const id = change.id ?? newId('evt');
  return {
    id,
    type: 'email.sent',
    createdAt: now(),
    spaceId: null,
    subject: { emailId: newId('eml') },
    body: '{}',
    expiresAt: Math.floor(eventExpiry(id, 30) / 1000) * 1000,
    ...change,
  };
}

/** The message that announces an event. */
export const announcementOf = (
  workspaceId: WorkspaceId,
  { id: eventId, type, createdAt: at, subject }: StoredEvent,
): PublishEvent => ({ kind: 'publish-event', v: 1, workspaceId, eventId, type, at, subject });

/** A `domain.verified` whose envelope is complete. */
export function domainEvent(change: Partial<StoredEvent> = {}): StoredEvent {
  const event = storedEvent({ type: 'domain.verified', ...change });
  const envelope = {
    id: event.id,
    type: event.type,
    created_at: new Date(event.createdAt).toISOString(),
    space_id: event.spaceId,
    data: { domain_id: newId('dom'), name: 'acme.dev', region: 'us-east-1' },
  };
  return { ...event, body: JSON.stringify(envelope) };
}
