/** Edits a draft, or reschedules an email. */
import { draftEdit, rescheduledTo } from '../../lib/http/presenters/draft.ts';
import { presentEmail } from '../../lib/http/presenters/email.ts';
import { serve } from '../../lib/http/serve.ts';
import { updateEmail } from '../../lib/services/sending/edit-draft.ts';
import { updateEmailOperation } from './update.contract.ts';

export const handler = serve(updateEmailOperation, async ({ caller, params, body }) => {
  const request = { edit: draftEdit(body), version: body.version ?? null, scheduledAt: rescheduledTo(body) };
  return { status: 200, body: presentEmail(await updateEmail(caller, params.email_id, request)) };
});
