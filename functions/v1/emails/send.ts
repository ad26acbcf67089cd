/** Sends an email or stores a draft, in version 1. */
import { outgoingFields } from '../../../lib/http/presenters/outgoing.ts';
import { presentV1Sent, v1Sender, v1SendOptions } from '../../../lib/http/presenters/v1/outgoing.ts';
import { serveEarly } from '../../../lib/http/serve-early.ts';
import { resolveSender } from '../../../lib/services/sending/resolve-sender.ts';
import { sendOrStoreWhileResolving } from '../../../lib/services/sending/v1-send.ts';
import { findConversation } from '../../../lib/services/threads/cited-conversation.ts';
import { sendV1EmailOperation } from './send.contract.ts';

export const handler = serveEarly(
  sendV1EmailOperation,
  async ({ expectedCaller: { workspaceId }, confirmed, body, baseUrl }) => {
    const from = v1Sender(body.from, body);
    const resolve = async () => {
      const sender = await resolveSender(workspaceId, from);
      const continued = await findConversation(workspaceId, sender.spaceId, {
        threadId: body.threadId ?? null,
        inReplyTo: body.in_reply_to ?? null,
        references: body.references ?? [],
      });
      return { sender, continued };
    };
    const outgoing = { ...outgoingFields(body, baseUrl), from, to: body.to, subject: body.subject };
    const lookups = { resolving: resolve(), confirmed: confirmed() };
    const sent = await sendOrStoreWhileResolving(workspaceId, outgoing, lookups, v1SendOptions(body));
    return { status: 200, body: presentV1Sent(sent) };
  },
);
