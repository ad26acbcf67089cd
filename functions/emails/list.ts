/** Lists emails. */
import { emailMatcher } from '../../lib/core/search.ts';
import { presentEmail } from '../../lib/http/presenters/email.ts';
import { serve } from '../../lib/http/serve.ts';
import { listEmails } from '../../lib/storage/emails.ts';
import { getSpace } from '../../lib/storage/spaces.ts';
import { getThread } from '../../lib/storage/threads.ts';
import { listEmailsOperation } from './list.contract.ts';

export const handler = serve(
  listEmailsOperation,
  async ({ caller: { workspaceId }, query, page, nextCursor }) => {
    const { space, direction, status, thread_id: threadId, query: words } = query;
    const filter = { space, direction, status, threadId, matches: words ? emailMatcher(words) : undefined };
    const [emails] = await Promise.all([
      listEmails(workspaceId, filter, page()),
      space ? getSpace(workspaceId, space) : null,
      threadId ? getThread(workspaceId, threadId) : null,
    ]);
    return {
      status: 200,
      body: { data: emails.items.map(presentEmail), next_cursor: nextCursor(emails.next) },
    };
  },
);
