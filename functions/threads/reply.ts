/** Replies to a thread. */

import { submitWithinWait } from '../../lib/http/prefer.ts';
import { asDraft, replyFields } from '../../lib/http/presenters/outgoing.ts';
import { sentResponse } from '../../lib/http/send-operation.ts';
import { serve } from '../../lib/http/serve.ts';
import { acceptOrDraft, acceptOrReplay } from '../../lib/services/sending/accept-request.ts';
import { idempotencyOf } from '../../lib/services/sending/idempotency.ts';
import { prepareReply } from '../../lib/services/threads/reply.ts';
import { replyToThreadOperation } from './reply.contract.ts';

export const handler = serve(
  replyToThreadOperation,
  async ({ caller, params, body: asked, headers, baseUrl }) => {
    const { workspaceId } = caller;
    const body = asDraft(asked, caller);
    const idempotency = idempotencyOf(headers['idempotency-key'], body, params.thread_id);
    const committed = await acceptOrReplay(workspaceId, idempotency, params.thread_id, async () => {
      const given = {
        from: body.from ?? null,
        replyAll: body.reply_all,
        hasRecipients: body.to !== undefined,
      };
      const reply = await prepareReply(workspaceId, params.thread_id, given);
      const outgoing = { ...replyFields(body, reply, baseUrl), claimOwner: body.claim_owner };
      return await acceptOrDraft(caller, outgoing, reply.continued, {
        isDraft: body.draft ?? false,
        idempotency,
      });
    });
    return sentResponse(await submitWithinWait(workspaceId, committed, headers.prefer));
  },
);
