/** Retrieves a thread with its messages. */
import { parseId } from '../../lib/core/ids.ts';
import { limits } from '../../lib/core/limits.ts';
import { Problem } from '../../lib/core/problems.ts';
import { presentFullEmail } from '../../lib/http/presenters/email.ts';
import { presentThread } from '../../lib/http/presenters/thread.ts';
import { serve } from '../../lib/http/serve.ts';
import { linkAttachments } from '../../lib/services/attachments/attachment-links.ts';
import { findEmail, listThreadMessages } from '../../lib/storage/emails.ts';
import { listEngagements } from '../../lib/storage/engagements.ts';
import { getThread } from '../../lib/storage/threads.ts';
import { retrieveThreadOperation } from './retrieve.contract.ts';

export const handler = serve(retrieveThreadOperation, async ({ caller: { workspaceId }, params, query }) => {
  const { message_limit: limit, message_cursor: cursor } = query;
  const after = cursor === undefined ? null : parseId('eml', cursor);
  const [thread, messages, last] = await Promise.all([
    getThread(workspaceId, params.thread_id),
    listThreadMessages(workspaceId, params.thread_id, { limit, after, bytesMax: limits.pageBytes }),
    after && findEmail(workspaceId, after),
  ]);
  if (cursor !== undefined && last?.threadId !== thread.id) {
    throw new Problem('invalid_cursor', 'message_cursor is not an email of this thread.');
  }
  const shown = await Promise.all(
    messages.items.map(async (email) =>
      presentFullEmail(
        email,
        ...(await Promise.all([
          linkAttachments(workspaceId, email, { withText: false }),
          listEngagements(workspaceId, email),
        ])),
      ),
    ),
  );
  return {
    status: 200,
    body: {
      ...presentThread(thread),
      messages: shown,
      next_message_cursor: messages.next,
    },
  };
});
