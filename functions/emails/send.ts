/** Sends an email. */

import { honourWait } from '../../lib/http/prefer.ts';
import { answerSent } from '../../lib/http/records/email.ts';
import { outgoingOf } from '../../lib/http/records/outgoing.ts';
import { serve } from '../../lib/http/serve.ts';
import { idempotencyOf } from '../../lib/services/idempotency.ts';
import { commitOutgoing } from '../../lib/services/outbound.ts';
import { continueThread } from '../../lib/services/reply.ts';
import { resolveSender } from '../../lib/services/sender.ts';
import { getThread } from '../../lib/storage/threads.ts';
import { sendEmailOperation } from './send.contract.ts';

export const handler = serve(
  sendEmailOperation,
  async ({ caller: { workspaceId }, body, headers, baseUrl }) => {
    const idempotency = idempotencyOf(headers['idempotency-key'], body, null);
    const [sender, thread] = await Promise.all([
      resolveSender(workspaceId, body.from),
      body.thread_id ? getThread(workspaceId, body.thread_id) : null,
    ]);
    const continued = thread && (await continueThread(workspaceId, thread));
    const outgoing = {
      ...outgoingOf(body, baseUrl),
      sender,
      from: body.from,
      to: body.to,
      subject: body.subject,
    };
    const committed = await commitOutgoing(workspaceId, outgoing, continued, idempotency);
    return answerSent(await honourWait(workspaceId, committed, headers.prefer));
  },
);
