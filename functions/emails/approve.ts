/** Approves a draft. */
import { sentResponse } from '../../lib/http/send-operation.ts';
import { serve } from '../../lib/http/serve.ts';
import { approveDraft } from '../../lib/services/sending/approve-draft.ts';
import { approveEmailOperation } from './approve.contract.ts';

export const handler = serve(approveEmailOperation, async ({ caller, params, body }) => {
  const { replayed, ...accepted } = await approveDraft(caller, params.email_id, body.version ?? null);
  const response = { status: 200, body: sentResponse({ ...accepted, replayed: false }).body } as const;
  return replayed ? { ...response, headers: { 'Idempotent-Replayed': 'true' } } : response;
});
