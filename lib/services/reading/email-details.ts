/** An email with its attachments' links and its engagements, as the API shows it. */
import type { FullEmail } from '../../core/emails/email.ts';
import type { WorkspaceId } from '../../core/ids.ts';
import { limits } from '../../core/limits.ts';
import type { Engagement } from '../../core/tracking/engagement.ts';
import { listEngagements } from '../../storage/emails/engagements.ts';
import { type LinkedAttachment, linkAttachments } from '../attachments/attachment-links.ts';
import { withStrippedText } from './stripped-text.ts';

export interface EmailDetails {
  readonly email: FullEmail;
  readonly attachments: readonly LinkedAttachment[];
  readonly engagements: readonly Engagement[];
}

/** The newest opens and clicks, which an email shows. An email without any costs no read. */
async function newestEngagements(workspaceId: WorkspaceId, email: FullEmail): Promise<readonly Engagement[]> {
  if (email.engagementCount === 0) return [];
  const paging = { limit: limits.engagementsShown, after: null };
  const { items } = await listEngagements(workspaceId, email.head.id, paging);
  // Reports arrive out of order.
  return items.toSorted((one, other) => other.at - one.at);
}

/** @param options.withText includes the extracted texts of attachments */
export async function emailDetails(
  workspaceId: WorkspaceId,
  found: FullEmail,
  options: { readonly withText: boolean },
): Promise<EmailDetails> {
  const email = await withStrippedText(found);
  const [attachments, engagements] = await Promise.all([
    linkAttachments(workspaceId, email, options),
    newestEngagements(workspaceId, email),
  ]);
  return { email, attachments, engagements };
}
