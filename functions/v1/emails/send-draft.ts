/** Sends a draft, in version 1. */
import { presentV1Sent } from '../../../lib/http/presenters/v1/outgoing.ts';
import { serve } from '../../../lib/http/serve.ts';
import { sendDraft } from '../../../lib/services/sending/v1-send.ts';
import { sendV1DraftOperation } from './send-draft.contract.ts';

export const handler = serve(sendV1DraftOperation, async ({ caller, params }) => {
  return { status: 200, body: presentV1Sent(await sendDraft(caller.workspaceId, params.emailId)) };
});
