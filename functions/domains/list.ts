/** Lists domains. */
import { presentDomain } from '../../lib/http/presenters/domain.ts';
import { serve } from '../../lib/http/serve.ts';
import { listDomains } from '../../lib/services/domains/domains.ts';
import { listDomainsOperation } from './list.contract.ts';

export const handler = serve(listDomainsOperation, async ({ caller, query, page, nextCursor }) => {
  const { items, next } = await listDomains(caller.workspaceId, query.space, page());
  return { status: 200, body: { data: items.map(presentDomain), next_cursor: await nextCursor(next) } };
});
