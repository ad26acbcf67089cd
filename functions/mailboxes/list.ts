/** Lists mailboxes. */
import { presentMailbox } from '../../lib/http/presenters/mailbox.ts';
import { serve } from '../../lib/http/serve.ts';
import { listMailboxes } from '../../lib/services/mailboxes/mailboxes.ts';
import { listMailboxesOperation } from './list.contract.ts';

export const handler = serve(listMailboxesOperation, async ({ caller, query, page, nextCursor }) => {
  const { items, next } = await listMailboxes(caller.workspaceId, query.space, page());
  return { status: 200, body: { data: items.map(presentMailbox), next_cursor: await nextCursor(next) } };
});
