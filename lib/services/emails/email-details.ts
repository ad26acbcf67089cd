/** An email with its attachments' links and its engagements, as the API shows it. */
import type { FullEmail } from '../../core/email.ts';
import type { Engagement } from '../../core/engagement.ts';
import type { WorkspaceId } from '../../core/ids.ts';
import { listEngagements } from '../../storage/engagements.ts';
import { type LinkedAttachment, linkAttachments } from '../attachments/attachment-links.ts';

export interface EmailDetails {
  readonly email: FullEmail;
  readonly attachments: readonly LinkedAttachment[];
  readonly engagements: readonly Engagement[];
}

export async function emailDetails(
  workspaceId: WorkspaceId,
  email: FullEmail,
  options: { readonly withText: boolean },
): Promise<EmailDetails> {
  const [attachments, engagements] = await Promise.all([
    linkAttachments(workspaceId, email, options),
    listEngagements(workspaceId, email),
  ]);
  return { email, attachments, engagements };
}
