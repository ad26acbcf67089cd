/** Cancels a scheduled email. */
import { presentEmail } from '../../lib/http/presenters/email.ts';
import { serve } from '../../lib/http/serve.ts';
import { cancel } from '../../lib/services/sending/scheduled-emails.ts';
import { cancelEmailOperation } from './cancel.contract.ts';

export const handler = serve(cancelEmailOperation, async ({ caller, params }) => {
  const email = await cancel(caller, params.email_id);
  return { status: 200, body: presentEmail(email) };
});
