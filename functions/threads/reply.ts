/** Replies to a thread. */

import { submitWithinWait } from '../../lib/http/prefer.ts';
import { sentResponse } from '../../lib/http/presenters/email.ts';
import { replyFields } from '../../lib/http/presenters/outgoing.ts';
import { serve } from '../../lib/http/serve.ts';
import { acceptEmail } from '../../lib/services/sending/accept-email.ts';
import { idempotencyOf } from '../../lib/services/sending/idempotency.ts';
import { acceptOrReplay } from '../../lib/services/sending/replay-without-sender.ts';
import { prepareReply } from '../../lib/services/threads/reply.ts';
import { replyToThreadOperation } from './reply.contract.ts';

export const handler = serve(
  replyToThreadOperation,
  async ({ caller: { workspaceId }, params, body, headers, baseUrl }) => {
    const idempotency = idempotencyOf(headers['idempotency-key'], body, params.thread_id);
    const committed = await acceptOrReplay(workspaceId, idempotency, params.thread_id, async () => {
      const given = {
        from: body.from ?? null,
        replyAll: body.reply_all,
        hasRecipients: body.to !== undefined,
      };
      const reply = await prepareReply(workspaceId, params.thread_id, given);
      const outgoing = { ...replyFields(body, reply, baseUrl), claimOwner: body.claim_owner };
      return await acceptEmail(workspaceId, outgoing, reply.continued, idempotency);
    });
    return sentResponse(await submitWithinWait(workspaceId, committed, headers.prefer));
  },
);
