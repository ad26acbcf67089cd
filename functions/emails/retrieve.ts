/** Retrieves an email. */
import { Problem } from '../../lib/core/problems.ts';
import { presentFullEmail } from '../../lib/http/presenters/email.ts';
import { serve } from '../../lib/http/serve.ts';
import { linkAttachments } from '../../lib/services/attachments/attachment-links.ts';
import { findFullEmail } from '../../lib/storage/emails.ts';
import { listEngagements } from '../../lib/storage/engagements.ts';
import { retrieveEmailOperation } from './retrieve.contract.ts';

export const handler = serve(retrieveEmailOperation, async ({ caller: { workspaceId }, params, query }) => {
  const email = await findFullEmail(workspaceId, params.email_id);
  if (!email) throw new Problem('not_found', 'The email does not exist.');
  const withText = query.include === 'attachment_content';
  const [attachments, engagements] = await Promise.all([
    linkAttachments(workspaceId, email, { withText }),
    listEngagements(workspaceId, email),
  ]);
  return { status: 200, body: presentFullEmail(email, attachments, engagements) };
});
