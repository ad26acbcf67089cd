/** The events of an email: the messages that announce them are stored with it (docs/decisions/0093-events-of-an-email.md). */
import type { EmailHead } from '../../core/emails/email.ts';
import type { EmailId, EventId, WorkspaceId } from '../../core/ids.ts';
import { allDone } from '../../core/work/all-done.ts';
import { emailOfThreadKey, emailParts, engagements } from '../table/keys.ts';
import { readableMessagesIn } from '../table/outbox.ts';
import { get } from '../table/reads.ts';
import { type Item, queryAll } from '../table/table.ts';

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
  const partitions = [emailParts(workspaceId, id), engagements(workspaceId, id)];
  return eventsIn((await allDone(partitions.map((pk) => queryAll(pk)))).flat());
}

const eventsIn = (items: readonly Item[]): EventId[] =>
  items
    .flatMap(readableMessagesIn)
    .flatMap(({ message }) => (message.kind === 'publish-event' ? [message.eventId] : []));
