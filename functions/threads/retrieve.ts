/** Retrieves a thread with its messages. */
import { now } from '../../lib/adapters/clock.ts';
import { type EmailId, parseId } from '../../lib/core/ids.ts';
import { Problem } from '../../lib/core/problems.ts';
import { presentFullEmail } from '../../lib/http/presenters/full-email.ts';
import { presentThread } from '../../lib/http/presenters/thread.ts';
import { serve } from '../../lib/http/serve.ts';
import { getThreadWithMessages } from '../../lib/services/reading/threads.ts';
import { retrieveThreadOperation } from './retrieve.contract.ts';

export const handler = serve(retrieveThreadOperation, async ({ caller, params, query }) => {
  const { message_limit: limit, message_cursor: cursor } = query;
  const paging = { limit, after: cursor === undefined ? null : messageCursor(cursor) };
  const { thread, messages } = await getThreadWithMessages(
    caller.workspaceId,
    params.thread_id,
    paging,
    presentFullEmail,
  );
  return {
    status: 200,
    body: {
      ...presentThread(thread, now()),
      messages: [...messages.items],
      next_message_cursor: messages.next,
    },
  };
});

/** @throws Problem invalid_cursor */
function messageCursor(text: string): EmailId {
  const id = parseId('eml', text);
  if (!id) throw new Problem('invalid_cursor', 'message_cursor is not an email id.');
  return id;
}
