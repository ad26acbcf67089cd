/** Reschedules an email. */
import { presentEmail } from '../../lib/http/presenters/email.ts';
import { serve } from '../../lib/http/serve.ts';
import { reschedule } from '../../lib/services/sending/scheduled-emails.ts';
import { rescheduleEmailOperation } from './reschedule.contract.ts';

export const handler = serve(rescheduleEmailOperation, async ({ caller, params, body }) => {
  const email = await reschedule(caller.workspaceId, params.email_id, body.scheduled_at);
  return { status: 200, body: presentEmail(email) };
});
