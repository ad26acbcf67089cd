/** Sends an email or stores a draft, in version 1. */
import { outgoingFields } from '../../../lib/http/presenters/outgoing.ts';
import { asV1Draft, sentV1Response, v1Sender, v1Tracking } from '../../../lib/http/presenters/v1/outgoing.ts';
import { serve } from '../../../lib/http/serve.ts';
import { acceptOrDraft, acceptOrReplay } from '../../../lib/services/sending/accept-request.ts';
import { v1IdempotencyOf } from '../../../lib/services/sending/idempotency.ts';
import { resolveSender } from '../../../lib/services/sending/resolve-sender.ts';
import { findConversation } from '../../../lib/services/threads/cited-conversation.ts';
import { sendV1EmailOperation } from './send.contract.ts';

export const handler = serve(sendV1EmailOperation, async ({ caller, body: given, headers, baseUrl }) => {
  const { workspaceId } = caller;
  const body = asV1Draft(given, caller);
  const threadId = body.threadId ?? null;
  const idempotency = v1IdempotencyOf(headers['idempotency-key'], body, threadId);
  const from = v1Sender(body.from, body);
  const sent = await acceptOrReplay(workspaceId, idempotency, threadId, async () => {
    const sender = await resolveSender(workspaceId, from);
    const continued = await findConversation(workspaceId, sender.spaceId, {
      threadId,
      inReplyTo: body.in_reply_to ?? null,
      references: body.references ?? [],
    });
    const outgoing = {
      ...outgoingFields(body, baseUrl),
      ...v1Tracking(body),
      sender,
      from,
      to: body.to,
      subject: body.subject,
    };
    return await acceptOrDraft(caller, outgoing, continued, { isDraft: body.is_draft, idempotency });
  });
  return sentV1Response(sent);
});
