/** Accepts a blocked email. */
import { serve } from '../../lib/http/serve.ts';
import { acceptBlockedEmail } from '../../lib/services/inbound-rules/accept-blocked-email.ts';
import { acceptBlockedEmailOperation } from './accept.contract.ts';

export const handler = serve(acceptBlockedEmailOperation, async ({ caller, params }) => {
  await acceptBlockedEmail(caller.workspaceId, params.blocked_email_id);
  return { status: 204, body: null };
});
