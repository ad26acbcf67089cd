/** Forwards a thread, in version 1. */
import { outgoingFields } from '../../../lib/http/presenters/outgoing.ts';
import { asV1Draft, sentV1Response, v1Sender, v1Tracking } from '../../../lib/http/presenters/v1/outgoing.ts';
import { serve } from '../../../lib/http/serve.ts';
import { getThread } from '../../../lib/services/reading/get-thread.ts';
import { acceptOrDraft, acceptOrReplay } from '../../../lib/services/sending/accept-request.ts';
import { v1IdempotencyOf } from '../../../lib/services/sending/idempotency.ts';
import { resolveSender } from '../../../lib/services/sending/resolve-sender.ts';
import { prepareForward } from '../../../lib/services/threads/forward.ts';
import { forwardV1ThreadOperation } from './forward.contract.ts';

export const handler = serve(
  forwardV1ThreadOperation,
  async ({ caller, params, body: asked, headers, baseUrl }) => {
    const { workspaceId } = caller;
    const body = asV1Draft(asked, caller);
    const idempotency = v1IdempotencyOf(headers['idempotency-key'], body, params.threadId);
    const sent = await acceptOrReplay(workspaceId, idempotency, params.threadId, async () => {
      const thread = await getThread(workspaceId, params.threadId);
      const from = v1Sender(body.from ?? { name: null, address: thread.mailbox }, body);
      const options = { note: body.note ?? null, includeAttachments: body.includeAttachments };
      const [sender, forward] = await Promise.all([
        resolveSender(workspaceId, from),
        prepareForward(workspaceId, thread, options),
      ]);
      const outgoing = {
        ...outgoingFields(body, baseUrl),
        ...v1Tracking(body),
        html: forward.html,
        text: forward.text,
        sender,
        from,
        to: body.to,
        subject: forward.subject,
        forwardOf: thread.id,
        carried: forward.carried,
      };
      return await acceptOrDraft(caller, outgoing, null, { isDraft: body.is_draft, idempotency });
    });
    return sentV1Response(sent);
  },
);
