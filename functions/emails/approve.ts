/** Approves a draft. */
import { presentAccepted, replayedHeaders } from '../../lib/http/send-operation.ts';
import { serve } from '../../lib/http/serve.ts';
import { approveDraft } from '../../lib/services/sending/approve-draft.ts';
import { approveEmailOperation } from './approve.contract.ts';

export const handler = serve(approveEmailOperation, async ({ caller, params, body }) => {
  const accepted = await approveDraft(caller, params.email_id, body.version ?? null);
  const response = { status: 200, body: presentAccepted(accepted) } as const;
  return accepted.replayed ? { ...response, headers: replayedHeaders } : response;
});
