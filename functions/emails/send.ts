/** Sends an email. */

import type { ThreadId, WorkspaceId } from '../../lib/core/ids.ts';
import { allDone } from '../../lib/core/work/all-done.ts';
import { submitWithinWait } from '../../lib/http/prefer.ts';
import { asDraft, outgoingFields } from '../../lib/http/presenters/outgoing.ts';
import { sentResponse } from '../../lib/http/send-operation.ts';
import { serve } from '../../lib/http/serve.ts';
import { acceptOrDraft, acceptOrReplay } from '../../lib/services/sending/accept-request.ts';
import { idempotencyOf } from '../../lib/services/sending/idempotency.ts';
import { resolveSender } from '../../lib/services/sending/resolve-sender.ts';
import { sendEmailOperation } from './send.contract.ts';

export const handler = serve(sendEmailOperation, async ({ caller, body: given, headers, baseUrl }) => {
  const { workspaceId } = caller;
  const body = asDraft(given, caller);
  const idempotency = idempotencyOf(headers['idempotency-key'], body, null);
  const committed = await acceptOrReplay(workspaceId, idempotency, body.thread_id ?? null, async () => {
    const [sender, continued] = await allDone([
      resolveSender(workspaceId, body.from),
      body.thread_id ? continueThread(workspaceId, body.thread_id) : null,
    ]);
    const outgoing = {
      ...outgoingFields(body, baseUrl),
      sender,
      from: body.from,
      to: body.to,
      subject: body.subject,
    };
    return await acceptOrDraft(caller, outgoing, continued, { isDraft: body.draft ?? false, idempotency });
  });
  return sentResponse(await submitWithinWait(workspaceId, committed, headers.prefer));
});

/** Most sends begin a thread: the code that reads one with its emails is not loaded. */
async function continueThread(workspaceId: WorkspaceId, id: ThreadId) {
  const { continueNamedThread } = await import('../../lib/services/threads/continue-thread.ts');
  return await continueNamedThread(workspaceId, id);
}
