/** Replies on a thread. */

import { honourWait } from '../../lib/http/prefer.ts';
import { answerSent } from '../../lib/http/records/email.ts';
import { outgoingOf } from '../../lib/http/records/outgoing.ts';
import { serve } from '../../lib/http/serve.ts';
import { idempotencyOf } from '../../lib/services/idempotency.ts';
import { commitOutgoing } from '../../lib/services/outbound.ts';
import { prepareReply } from '../../lib/services/reply.ts';
import { replyToThreadOperation } from './reply.contract.ts';

export const handler = serve(
  replyToThreadOperation,
  async ({ caller: { workspaceId }, params, body, headers, baseUrl }) => {
    const idempotency = idempotencyOf(headers['idempotency-key'], body, params.thread_id);
    const given = { from: body.from ?? null, replyAll: body.reply_all };
    const reply = await prepareReply(workspaceId, params.thread_id, given);
    const outgoing = {
      ...outgoingOf(body, baseUrl),
      sender: reply.sender,
      from: reply.from,
      to: body.to ?? reply.to,
      cc: body.cc ?? (body.to ? [] : reply.cc),
      subject: body.subject ?? reply.subject,
    };
    const committed = await commitOutgoing(workspaceId, outgoing, reply.continued, idempotency);
    return answerSent(await honourWait(workspaceId, committed, headers.prefer));
  },
);
