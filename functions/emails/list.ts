/** Lists emails. */
import { emailMatcher } from '../../lib/core/threads/search.ts';
import { presentEmail } from '../../lib/http/presenters/email.ts';
import { serve } from '../../lib/http/serve.ts';
import { listEmails } from '../../lib/services/reading/emails.ts';
import { listEmailsOperation } from './list.contract.ts';

export const handler = serve(listEmailsOperation, async ({ caller, query, page, nextCursor }) => {
  const { space, direction, status, thread_id: threadId, query: words } = query;
  const filter = { space, direction, status, threadId, matches: words ? emailMatcher(words) : undefined };
  const { items, next } = await listEmails(caller.workspaceId, filter, page());
  return { status: 200, body: { data: items.map(presentEmail), next_cursor: await nextCursor(next) } };
});
