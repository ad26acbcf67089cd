/** Sends an email or stores a draft, in version 1. */
import { outgoingFields } from '../../../lib/http/presenters/outgoing.ts';
import { sentV1Response, v1Sender, v1SendOptions } from '../../../lib/http/presenters/v1/outgoing.ts';
import { serveEarly } from '../../../lib/http/serve-early.ts';
import { v1IdempotencyOf } from '../../../lib/services/sending/idempotency.ts';
import { resolveSender } from '../../../lib/services/sending/resolve-sender.ts';
import { sendOrReplay, sendOrStoreWhileResolving } from '../../../lib/services/sending/v1-send.ts';
import { findConversation } from '../../../lib/services/threads/cited-conversation.ts';
import { sendV1EmailOperation } from './send.contract.ts';

export const handler = serveEarly(
  sendV1EmailOperation,
  async ({ expectedCaller: { workspaceId }, confirmed, body, headers, baseUrl }) => {
    const threadId = body.threadId ?? null;
    const idempotency = v1IdempotencyOf(headers['idempotency-key'], body, threadId);
    const from = v1Sender(body.from, body);
    const resolve = async () => {
      const sender = await resolveSender(workspaceId, from);
      const continued = await findConversation(workspaceId, sender.spaceId, {
        threadId,
        inReplyTo: body.in_reply_to ?? null,
        references: body.references ?? [],
      });
      return { sender, continued };
    };
    const outgoing = { ...outgoingFields(body, baseUrl), from, to: body.to, subject: body.subject };
    const options = v1SendOptions(body, idempotency);
    const sent = await sendOrReplay(workspaceId, idempotency, threadId, async () => {
      const lookups = { resolving: resolve(), confirmed: confirmed() };
      return await sendOrStoreWhileResolving(workspaceId, outgoing, lookups, options);
    });
    return sentV1Response(sent);
  },
);
