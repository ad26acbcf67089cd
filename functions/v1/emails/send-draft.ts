/** Sends a draft, in version 1. */
import { presentV1Sent } from '../../../lib/http/presenters/v1/outgoing.ts';
import { serve } from '../../../lib/http/serve.ts';
import { approveDraft } from '../../../lib/services/sending/approve-draft.ts';
import { sendV1DraftOperation } from './send-draft.contract.ts';

export const handler = serve(sendV1DraftOperation, async ({ caller, params }) => {
  const { email } = await approveDraft(caller, params.emailId, null);
  return { status: 200, body: presentV1Sent(email) };
});
