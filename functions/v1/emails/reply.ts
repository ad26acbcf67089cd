/** Replies to an email, in version 1. */
import { replyFields } from '../../../lib/http/presenters/outgoing.ts';
import { asV1Draft, sentV1Response, v1Sender, v1Tracking } from '../../../lib/http/presenters/v1/outgoing.ts';
import { serve } from '../../../lib/http/serve.ts';
import { acceptOrDraft, acceptOrReplay } from '../../../lib/services/sending/accept-request.ts';
import { v1IdempotencyOf } from '../../../lib/services/sending/idempotency.ts';
import { prepareReplyToEmail } from '../../../lib/services/threads/reply.ts';
import { replyToV1EmailOperation } from './reply.contract.ts';

export const handler = serve(
  replyToV1EmailOperation,
  async ({ caller, params, body: asked, headers, baseUrl }) => {
    const { workspaceId } = caller;
    const body = asV1Draft(asked, caller);
    const idempotency = v1IdempotencyOf(headers['idempotency-key'], body, params.emailId);
    const sent = await acceptOrReplay(workspaceId, idempotency, params.emailId, async () => {
      const given = {
        from: v1Sender(body.from, body),
        replyAll: body.reply_all,
        hasRecipients: body.to !== undefined && body.to.length > 0,
      };
      const reply = await prepareReplyToEmail(workspaceId, params.emailId, given);
      const outgoing = { ...replyFields(body, reply, baseUrl), ...v1Tracking(body) };
      return await acceptOrDraft(caller, outgoing, reply.continued, { isDraft: body.is_draft, idempotency });
    });
    return sentV1Response(sent);
  },
);
