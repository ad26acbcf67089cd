/** The events of an email: the messages that announce them are stored with it (docs/decisions/0093-events-of-an-email.md). */
import type { EmailHead } from '../../core/emails/email.ts';
import type { EmailId, EventId, WorkspaceId } from '../../core/ids.ts';
import { emailOfThreadKey, emailParts } from '../table/keys.ts';
import { readableMessagesIn } from '../table/outbox.ts';
import { get } from '../table/reads.ts';
import { type Item, queryAll } from '../table/table.ts';
import { engagementsBeside } from './engagements.ts';

/** The events that were announced when the email was created, those of its thread included. */
export async function listEventsOfCreation(
  workspaceId: WorkspaceId,
  { threadId, id }: Pick<EmailHead, 'threadId' | 'id'>,
): Promise<EventId[]> {
  const entry = await get(emailOfThreadKey(workspaceId, threadId, id));
  return entry ? eventsIn([entry]) : [];
}

/** All others. */
export async function listFurtherEvents(workspaceId: WorkspaceId, id: EmailId): Promise<EventId[]> {
  const parts = await queryAll(emailParts(workspaceId, id));
  return eventsIn([...parts, ...(await engagementsBeside(workspaceId, id, parts))]);
}

const eventsIn = (items: readonly Item[]): EventId[] =>
  items
    .flatMap(readableMessagesIn)
    .flatMap(({ message }) => (message.kind === 'publish-event' ? [message.eventId] : []));
