/** Emails as the API reads them (docs/concepts/email-lifecycle.md). */
import { now } from '../../adapters/clock.ts';
import type { EmailHead, FullEmail } from '../../core/emails/email.ts';
import type { EmailId, WorkspaceId } from '../../core/ids.ts';
import type { Page, Paging } from '../../core/page.ts';
import { Problem } from '../../core/problems.ts';
import type { Engagement } from '../../core/tracking/engagement.ts';
import * as heads from '../../storage/emails/email-heads.ts';
import { findFullEmail } from '../../storage/emails/emails.ts';
import { listEngagements } from '../../storage/emails/engagements.ts';
import { findThread } from '../../storage/threads/threads.ts';
import { checkSpaceFilter } from '../spaces/spaces.ts';
import { type EmailDetails, emailDetails } from './email-details.ts';
import { threadNotFound } from './get-thread.ts';

/**
 * An email with everything that the API shows of it.
 *
 * @param options.withText with the extracted texts of its attachments
 * @throws Problem not_found
 */
export async function getEmail(
  workspaceId: WorkspaceId,
  id: EmailId,
  options: { readonly withText: boolean },
): Promise<EmailDetails> {
  const email = (await findFullEmail(workspaceId, id)) ?? (await draftOf(workspaceId, id));
  if (!email) throw new Problem('not_found', 'The email does not exist.');
  return await emailDetails(workspaceId, email, options);
}

/** An id of no email may be that of a draft, whose code most requests do not load. */
async function draftOf(workspaceId: WorkspaceId, id: EmailId): Promise<FullEmail | null> {
  const { findEmailOrDraft } = await import('../../storage/emails/drafts.ts');
  return await findEmailOrDraft(workspaceId, id);
}

/** A page of the opens and clicks of an email, newest first. @throws Problem not_found */
export async function listEmailEngagements(
  workspaceId: WorkspaceId,
  id: EmailId,
  paging: Paging,
): Promise<Page<Engagement>> {
  const [email, page] = await Promise.all([
    heads.findEmail(workspaceId, id),
    listEngagements(workspaceId, id, paging),
  ]);
  if (!email && !(await draftOf(workspaceId, id)))
    throw new Problem('not_found', 'The email does not exist.');
  return page;
}

/** A page of emails, or of drafts where the filter asks for them, newest first. @throws Problem not_found (space), thread_not_found */
export async function listEmails(
  workspaceId: WorkspaceId,
  filter: heads.EmailFilter,
  paging: Paging,
): Promise<Page<EmailHead>> {
  const isDrafts = filter.status === 'draft';
  const [page, , thread] = await Promise.all([
    isDrafts ? draftsOf(workspaceId, filter, paging) : heads.listEmails(workspaceId, filter, paging),
    checkSpaceFilter(workspaceId, filter.space),
    filter.threadId ? findThread(workspaceId, filter.threadId) : null,
  ]);
  // A thread that begins with a draft has its id before it exists.
  const isReserved = isDrafts && page.items.length > 0;
  if (filter.threadId && !thread && !isReserved) throw threadNotFound();
  return page;
}

async function draftsOf(
  workspaceId: WorkspaceId,
  filter: heads.EmailFilter,
  paging: Paging,
): Promise<Page<EmailHead>> {
  const { listDrafts } = await import('../../storage/emails/drafts.ts');
  return await listDrafts(workspaceId, filter, paging, now());
}
