/** Forwards a thread. */

import { submitWithinWait } from '../../lib/http/prefer.ts';
import { asDraft, hasBody, outgoingFields } from '../../lib/http/presenters/outgoing.ts';
import { sentResponse } from '../../lib/http/send-operation.ts';
import { serve } from '../../lib/http/serve.ts';
import { getThread } from '../../lib/services/reading/get-thread.ts';
import { acceptOrDraft, acceptOrReplay } from '../../lib/services/sending/accept-request.ts';
import { idempotencyOf } from '../../lib/services/sending/idempotency.ts';
import { resolveSender } from '../../lib/services/sending/resolve-sender.ts';
import { prepareForward } from '../../lib/services/threads/forward.ts';
import { forwardThreadOperation } from './forward.contract.ts';

export const handler = serve(
  forwardThreadOperation,
  async ({ caller, params, body: asked, headers, baseUrl }) => {
    const { workspaceId } = caller;
    const body = asDraft(asked, caller);
    const idempotency = idempotencyOf(headers['idempotency-key'], body, params.thread_id);
    const committed = await acceptOrReplay(workspaceId, idempotency, params.thread_id, async () => {
      const thread = await getThread(workspaceId, params.thread_id);
      const from = body.from ?? { name: null, address: thread.mailbox };
      const options = { note: body.note ?? null, includeAttachments: body.include_attachments };
      const [sender, forward] = await Promise.all([
        resolveSender(workspaceId, from),
        prepareForward(workspaceId, thread, options),
      ]);
      const given = outgoingFields(body, baseUrl);
      const hasOwnBody = hasBody(body);
      const outgoing = {
        ...given,
        ...(hasOwnBody ? {} : { html: forward.html, text: forward.text }),
        sender,
        from,
        to: body.to,
        subject: body.subject ?? forward.subject,
        forwardOf: thread.id,
        carried: forward.carried,
      };
      return await acceptOrDraft(caller, outgoing, null, { isDraft: body.draft ?? false, idempotency });
    });
    return sentResponse(await submitWithinWait(workspaceId, committed, headers.prefer));
  },
);
