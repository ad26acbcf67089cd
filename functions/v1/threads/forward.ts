/** Forwards a thread, in version 1. */
import { outgoingFields } from '../../../lib/http/presenters/outgoing.ts';
import { sentV1Response, v1Sender, v1SendOptions } from '../../../lib/http/presenters/v1/outgoing.ts';
import { serve } from '../../../lib/http/serve.ts';
import { getThread } from '../../../lib/services/reading/get-thread.ts';
import { v1IdempotencyOf } from '../../../lib/services/sending/idempotency.ts';
import { resolveSender } from '../../../lib/services/sending/resolve-sender.ts';
import { sendOrReplay, sendOrStore } from '../../../lib/services/sending/v1-send.ts';
import { prepareForward } from '../../../lib/services/threads/forward.ts';
import { forwardV1ThreadOperation } from './forward.contract.ts';

export const handler = serve(
  forwardV1ThreadOperation,
  async ({ caller: { workspaceId }, params, body, headers, baseUrl }) => {
    const idempotency = v1IdempotencyOf(headers['idempotency-key'], body, params.threadId);
    const sent = await sendOrReplay(workspaceId, idempotency, params.threadId, async () => {
      const thread = await getThread(workspaceId, params.threadId);
      const from = v1Sender(body.from ?? { name: null, address: thread.mailbox }, body);
      const options = { note: body.note ?? null, includeAttachments: body.includeAttachments };
      const [sender, forward] = await Promise.all([
        resolveSender(workspaceId, from),
        prepareForward(workspaceId, thread, options),
      ]);
      const outgoing = {
        ...outgoingFields(body, baseUrl),
        html: forward.html,
        text: forward.text,
        sender,
        from,
        to: body.to,
        subject: forward.subject,
        forwardOf: thread.id,
        carried: forward.carried,
      };
      return await sendOrStore(workspaceId, outgoing, null, v1SendOptions(body, idempotency));
    });
    return sentV1Response(sent);
  },
);
