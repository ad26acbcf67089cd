/** Retrieves an email. */
import { presentFullEmail } from '../../lib/http/presenters/full-email.ts';
import { serve } from '../../lib/http/serve.ts';
import { getEmail } from '../../lib/services/reading/emails.ts';
import { retrieveEmailOperation } from './retrieve.contract.ts';

export const handler = serve(retrieveEmailOperation, async ({ caller, params, query }) => {
  const withText = query.include === 'attachment_content';
  const details = await getEmail(caller.workspaceId, params.email_id, { withText });
  return { status: 200, body: presentFullEmail(details) };
});
