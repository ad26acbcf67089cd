/** Emails as the API reads them (docs/concepts/email-lifecycle.md). */
import type { EmailHead } from '../../core/emails/email.ts';
import type { EmailId, WorkspaceId } from '../../core/ids.ts';
import type { Page, Paging } from '../../core/page.ts';
import { Problem } from '../../core/problems.ts';
import type { Engagement } from '../../core/tracking/engagement.ts';
import * as heads from '../../storage/emails/email-heads.ts';
import { findFullEmail } from '../../storage/emails/emails.ts';
import { listEngagements } from '../../storage/emails/engagements.ts';
import { checkSpaceFilter } from '../spaces/spaces.ts';
import { type EmailDetails, emailDetails } from './email-details.ts';
import { getThread } from './get-thread.ts';

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
  const email = await findFullEmail(workspaceId, id);
  if (!email) throw new Problem('not_found', 'The email does not exist.');
  return await emailDetails(workspaceId, email, options);
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
  if (!email) throw new Problem('not_found', 'The email does not exist.');
  return page;
}

/** A page of emails, newest first. @throws Problem not_found (space), thread_not_found */
export async function listEmails(
  workspaceId: WorkspaceId,
  filter: heads.EmailFilter,
  paging: Paging,
): Promise<Page<EmailHead>> {
  const [page] = await Promise.all([
    heads.listEmails(workspaceId, filter, paging),
    checkSpaceFilter(workspaceId, filter.space),
    filter.threadId ? getThread(workspaceId, filter.threadId) : null,
  ]);
  return page;
}
