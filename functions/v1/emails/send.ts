/** Sends an email or stores a draft, in version 1. */
import { outgoingFields } from '../../../lib/http/presenters/outgoing.ts';
import { sentV1Response, v1Sender, v1SendOptions } from '../../../lib/http/presenters/v1/outgoing.ts';
import { serve } from '../../../lib/http/serve.ts';
import { v1IdempotencyOf } from '../../../lib/services/sending/idempotency.ts';
import { resolveSender } from '../../../lib/services/sending/resolve-sender.ts';
import { sendOrReplay, sendOrStore } from '../../../lib/services/sending/v1-send.ts';
import { findConversation } from '../../../lib/services/threads/cited-conversation.ts';
import { sendV1EmailOperation } from './send.contract.ts';

export const handler = serve(
  sendV1EmailOperation,
  async ({ caller: { workspaceId }, body, headers, baseUrl }) => {
    const threadId = body.threadId ?? null;
    const idempotency = v1IdempotencyOf(headers['idempotency-key'], body, threadId);
    const from = v1Sender(body.from, body);
    const sent = await sendOrReplay(workspaceId, idempotency, threadId, async () => {
      const sender = await resolveSender(workspaceId, from);
      const continued = await findConversation(workspaceId, sender.spaceId, {
        threadId,
        inReplyTo: body.in_reply_to ?? null,
        references: body.references ?? [],
      });
      const outgoing = { ...outgoingFields(body, baseUrl), sender, from, to: body.to, subject: body.subject };
      return await sendOrStore(workspaceId, outgoing, continued, v1SendOptions(body, idempotency));
    });
    return sentV1Response(sent);
  },
);
