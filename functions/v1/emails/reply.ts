/** Replies to an email, in version 1. */
import { replyFields } from '../../../lib/http/presenters/outgoing.ts';
import { sentV1Response, v1Sender, v1SendOptions } from '../../../lib/http/presenters/v1/outgoing.ts';
import { serve } from '../../../lib/http/serve.ts';
import { v1IdempotencyOf } from '../../../lib/services/sending/idempotency.ts';
import { sendOrReplay, sendOrStore } from '../../../lib/services/sending/v1-send.ts';
import { prepareReplyToEmail } from '../../../lib/services/threads/reply.ts';
import { replyToV1EmailOperation } from './reply.contract.ts';

export const handler = serve(
  replyToV1EmailOperation,
  async ({ caller: { workspaceId }, params, body, headers, baseUrl }) => {
    const idempotency = v1IdempotencyOf(headers['idempotency-key'], body, params.emailId);
    const sent = await sendOrReplay(workspaceId, idempotency, params.emailId, async () => {
      const given = {
        from: v1Sender(body.from, body),
        replyAll: body.reply_all,
        hasRecipients: body.to !== undefined && body.to.length > 0,
      };
      const reply = await prepareReplyToEmail(workspaceId, params.emailId, given);
      const outgoing = replyFields(body, reply, baseUrl);
      return await sendOrStore(workspaceId, outgoing, reply.continued, v1SendOptions(body, idempotency));
    });
    return sentV1Response(sent);
  },
);
