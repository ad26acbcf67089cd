/** Reads the record that an event is about. */
import type { WorkspaceId } from '../../core/ids.ts';
import type { EventSubjectRef } from '../../core/queue-messages.ts';
import type { EventSubject } from '../../core/webhooks/event.ts';
import { findDomain } from '../../storage/domains/domains.ts';
import { findStoredEmailOrDraft } from '../../storage/emails/drafts.ts';
import { findStoredEmailWithEntry } from '../../storage/emails/emails.ts';
import { findEngagement } from '../../storage/emails/engagements.ts';
import { findMailbox } from '../../storage/mailboxes/mailboxes.ts';
import { findBlocked } from '../../storage/receiving/blocked-emails.ts';
import { findStoredThread } from '../../storage/threads/threads.ts';

/** Reads an email or a draft, or null where there is none. */
export type EmailReader = typeof findStoredEmailOrDraft;

/**
 * The subject of an event, or null where it was deleted. Emails and threads are found in deleted spaces, too: their events are
 * neither shown nor delivered, and go with their space.
 *
 * @param readEmail may be shared by several events
 */
export async function loadSubject(
  workspaceId: WorkspaceId,
  subject: EventSubjectRef,
  readEmail: EmailReader,
): Promise<EventSubject | null> {
  if ('emailId' in subject) return await loadEmail(workspaceId, subject, readEmail);
  if ('threadId' in subject) {
    const thread = await findStoredThread(workspaceId, subject.threadId);
    return thread && { kind: 'thread', thread };
  }
  if ('mailboxId' in subject) {
    const mailbox = await findMailbox(workspaceId, subject.mailboxId);
    return mailbox && { kind: 'mailbox', mailbox, connection: subject.connection ?? null };
  }
  if ('blockedId' in subject) {
    const blocked = await findBlocked(workspaceId, subject.blockedId);
    return blocked && { kind: 'blocked', blocked };
  }
  const domain = await findDomain(workspaceId, subject.domainId);
  return domain && { kind: 'domain', domain };
}

type EmailSubject = Extract<EventSubject, { kind: 'email' }>;

/** The email of an event with the history entry or engagement that the event reports. */
export async function loadEmail(
  workspaceId: WorkspaceId,
  subject: Extract<EventSubjectRef, { emailId: unknown }>,
  readEmail: EmailReader = findStoredEmailOrDraft,
): Promise<EmailSubject | null> {
  const { emailId } = subject;
  if ('entryId' in subject && subject.entryId) {
    const found = await findStoredEmailWithEntry(workspaceId, emailId, subject.entryId);
    return found && { kind: 'email', ...found, engagement: null };
  }
  const [email, engagement] = await Promise.all([
    readEmail(workspaceId, emailId),
    'engagement' in subject ? findEngagement(workspaceId, emailId, subject.engagement) : null,
  ]);
  return email && { kind: 'email', email, entry: null, engagement };
}
