/** Forwards a thread. */

import { honourWait } from '../../lib/http/prefer.ts';
import { answerSent } from '../../lib/http/records/email.ts';
import { outgoingOf } from '../../lib/http/records/outgoing.ts';
import { serve } from '../../lib/http/serve.ts';
import { prepareForward } from '../../lib/services/forward.ts';
import { idempotencyOf } from '../../lib/services/idempotency.ts';
import { commitOutgoing } from '../../lib/services/outbound.ts';
import { resolveSender } from '../../lib/services/sender.ts';
import { getThread } from '../../lib/storage/threads.ts';
import { forwardThreadOperation } from './forward.contract.ts';

export const handler = serve(
  forwardThreadOperation,
  async ({ caller: { workspaceId }, params, body, headers, baseUrl }) => {
    const idempotency = idempotencyOf(headers['idempotency-key'], body, params.thread_id);
    const thread = await getThread(workspaceId, params.thread_id);
    const from = body.from ?? { name: null, address: thread.mailbox };
    const options = { note: body.note ?? null, includeAttachments: body.include_attachments };
    const [sender, forward] = await Promise.all([
      resolveSender(workspaceId, from),
      prepareForward(workspaceId, thread, options),
    ]);
    const given = outgoingOf(body, baseUrl);
    const hasOwnBody = body.html !== undefined || body.text !== undefined;
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
    const committed = await commitOutgoing(workspaceId, outgoing, null, idempotency);
    return answerSent(await honourWait(workspaceId, committed, headers.prefer));
  },
);
